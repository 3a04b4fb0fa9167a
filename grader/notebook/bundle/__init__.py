"""What a released bundle does by itself: asks its checker, or looks at what needs no answer."""
