"""Does a release hold what it says, as a user of `datasets` would meet it?"""

from export.verify.release import verify_release

__all__ = ["verify_release"]
