"""`mira capture devices`: the cameras that are plugged in."""

from __future__ import annotations

import typer

from mira.cli.options import JsonOption
from mira.cli.output import print_json


def devices(as_json: JsonOption = False) -> None:
    """List the depth cameras that are plugged in, with the modes they offer as connected."""
    from capture.sources.live import connected_cameras
    from capture.sources.modes import listed_modes

    cameras = connected_cameras()
    if as_json:
        print_json(
            [
                {
                    **camera.info.model_dump(mode="json", exclude={"schema_version"}),
                    "depth_modes": [str(mode) for mode in camera.depth_modes],
                    "color_modes": [str(mode) for mode in camera.color_modes],
                }
                for camera in cameras
            ]
        )
        return
    for camera in cameras:
        info = camera.info
        usb = f", USB {info.usb_type}" if info.usb_type else ""
        firmware = f", firmware {info.firmware_version}" if info.firmware_version else ""
        typer.echo(f"{info.serial_number}  {info.name}{usb}{firmware}")
        typer.echo(f"  depth  {listed_modes(camera.depth_modes)}")
        typer.echo(f"  color  {listed_modes(camera.color_modes)}")
    if not cameras:
        typer.echo(
            "No camera is plugged in; `mira capture record --simulate` needs none.", err=True
        )
