"""Questions of a workspace in the published layout, and files in that layout read into one."""
