"""The data model: frozen records that stages exchange on disk, one module a stage."""
