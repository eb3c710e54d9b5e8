-- Tables of a desk. `state` and `given` (verdicts that count) of an item follow from its verdicts.
-- Verdicts and answers are only ever added; the newest of a person counts.

create table people (
    name text primary key,
    role text not null,
    password text not null,
    created_at text not null,
    is_active integer not null default 1
) strict;

create table logins (
    token_sha256 text primary key,
    name text not null references people (name),
    expires_at text not null
) strict;

create table invitations (
    token_sha256 text primary key,
    role text not null,
    expires_at text not null
) strict;

create table failed_logins (name text not null, at text not null) strict;

create index failed_logins_name on failed_logins (name, at);

create table items (
    item_id text primary key,
    place integer not null,
    scene_id text not null,
    image_id text not null,
    template_id text not null,
    item_sha8 text not null,
    authors text not null,
    content text not null,
    is_current integer not null default 1,
    state text not null default 'waiting',
    given integer not null default 0
) strict;

create index items_waiting on items (is_current, state, given desc, place);

create table verdicts (
    id integer primary key,
    item_id text not null,
    item_sha8 text not null,
    reviewer text not null references people (name),
    role text not null,
    content text not null,
    at text not null,
    token text not null unique
) strict;

create index verdicts_item on verdicts (item_id);

create table answers (
    id integer primary key,
    item_id text not null,
    image_id text not null,
    name text not null references people (name),
    content text not null,
    at text not null,
    token text not null unique
) strict;

create index answers_item on answers (item_id);

create table leases (
    kind text not null,
    work_id text not null,
    name text not null references people (name),
    until text not null,
    primary key (kind, work_id, name)
) strict;

create table drafts (
    kind text not null,
    work_id text not null,
    name text not null references people (name),
    seq integer not null,
    content text not null,
    at text not null,
    primary key (kind, work_id, name)
) strict;
