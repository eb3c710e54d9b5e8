create index answers_of on answers (item_id, name, id);

create index answers_image on answers (image_id);

create table descriptions (
    id integer primary key,
    image_id text not null,
    instance_id integer not null,
    name text not null references people (name),
    content text not null,
    token text not null unique
) strict;

create index descriptions_image on descriptions (image_id);
