-- Remarks on pictures and questions; only ever added. A flag is closed by the one that resolves it.

create table remarks (
    id integer primary key,
    remark_id text not null unique,
    kind text not null,
    image_id text not null,
    item_id text,
    resolves text unique,
    name text not null references people (name),
    content text not null,
    token text not null unique
) strict;

create index remarks_image on remarks (image_id, id);

create index remarks_kind on remarks (kind, id);
