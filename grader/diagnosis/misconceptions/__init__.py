"""The known wrong turns: words in a data file a chapter, switchable references in modules.

A module is called as its exercise. The switches of modules stand in `interpretation`.
"""
