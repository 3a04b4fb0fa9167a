"""What a released bundle does in a kernel and a terminal; holds no answer and no check's answer."""
