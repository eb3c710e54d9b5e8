-- `outcomes` has the verdict of settled items and follows from their verdicts, as `state` does.
-- `replies` are those of the human baseline, `looks` who was ever lent what, answers and all.

create table outcomes (item_id text primary key, verdict text not null) strict;

create table looks (
    kind text not null,
    work_id text not null,
    name text not null references people (name),
    primary key (kind, work_id, name)
) strict;

create table replies (
    id integer primary key,
    item_id text not null,
    item_sha8 text not null,
    name text not null references people (name),
    content text not null,
    at text not null,
    token text not null unique
) strict;

create index replies_item on replies (item_id);
