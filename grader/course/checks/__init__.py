"""The course's hidden checks: a file a chapter for functions, check_modules.py for modules.

Those of the find-the-mistake exercises are in check_spots.py.
"""
