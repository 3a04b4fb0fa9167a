"""The trusted side of the wall: starts sandboxes and talks to them; knows no check and no mark."""
