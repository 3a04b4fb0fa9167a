"""The known wrong turns: words and edits in a data file a chapter, telling inputs in modules.

A module is called as its exercise. The switches of modules stand in `interpretation`.
"""
