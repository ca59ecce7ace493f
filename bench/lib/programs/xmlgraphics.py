"""The jars that FOP and Batik share."""

import os

from lib.fetch import Jar, fetch_jar

GROUP = "org.apache.xmlgraphics"
BATIK = Jar(GROUP, "batik-all", "1.18",
            "e6b99c9ce6559b0ac057173f11e01572bd0898aa388b6596376ae871bc3fc84f")
SHARED = [
    BATIK,
    Jar(GROUP, "xmlgraphics-commons", "2.10",
        "857af2d06d002ce217532504244ea8ee831aeb094feb0a47b2697f19496711ea"),
    Jar("commons-io", "commons-io", "2.11.0",
        "961b2f6d87dbacc5d54abf45ab7a6e2495f89b75598962d8c723cea9bc210908"),
    Jar("commons-logging", "commons-logging", "1.3.0",
        "66d3c980470b99b0c511dad3dfc0ae7b265ec1fb144e96bc0253a8a175fd34d9"),
    Jar("xml-apis", "xml-apis", "1.4.01",
        "a840968176645684bb01aed376e067ab39614885f9eee44abe35a5f20ebe7fad"),
    Jar("xml-apis", "xml-apis-ext", "1.3.04",
        "d0b4887dc34d57de49074a58affad439a013d0baffa1a8034f8ef2a5ea191646"),
]


def class_path(jars):
    """Of jars, which are fetched."""
    return os.pathsep.join(str(fetch_jar(jar)) for jar in jars)
