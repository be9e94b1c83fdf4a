"""A rig that does to a proxy what networks, disks, programs and people do to it, and judges every answer."""
