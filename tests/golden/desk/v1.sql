BEGIN TRANSACTION;
CREATE TABLE answers (
    id integer primary key,
    item_id text not null,
    image_id text not null,
    name text not null references people (name),
    content text not null,
    at text not null,
    token text not null unique
) strict;
CREATE TABLE drafts (
    kind text not null,
    work_id text not null,
    name text not null references people (name),
    seq integer not null,
    content text not null,
    at text not null,
    primary key (kind, work_id, name)
) strict;
INSERT INTO "drafts" VALUES('review','mc_001-0001','cora',1,'{"verdict": "rejected"}','2026-01-01T00:00:00+00:00');
CREATE TABLE failed_logins (name text not null, at text not null) strict;
CREATE TABLE invitations (
    token_sha256 text primary key,
    role text not null,
    expires_at text not null
) strict;
CREATE TABLE items (
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
INSERT INTO "items" VALUES('mc_001-0000',0,'s','i0','mc_001','d4e10217','["anna"]','{"schema_version":1,"item_id":"mc_001-0000","template_id":"mc_001","image_id":"i0","scene_id":"s","direction":null,"marks":[{"label":"X","instance_id":1,"role":"slot","box_xyxy_px":[0,0,5,5]}],"options":[{"label":"A","value":"2"},{"label":"B","value":"3"}],"answer":{"format":"single_choice","value":"A"},"joint_group":null,"wordings":[{"protocol":"bbox_text","question":"Which 0?","option_texts":["2","3"]}],"derivation":{"rule":"r","annotator":"anna","annotation_sha256":"0000000000000000000000000000000000000000000000000000000000000000","instance_ids":[],"surface_ids":[],"links":[],"parameters":{"by":[]}},"margin":null,"source":"auto","review":"unreviewed","original":null}',1,'settled',2);
INSERT INTO "items" VALUES('mc_001-0001',1,'s','i0','mc_001','37b714c0','["anna"]','{"schema_version":1,"item_id":"mc_001-0001","template_id":"mc_001","image_id":"i0","scene_id":"s","direction":null,"marks":[{"label":"X","instance_id":1,"role":"slot","box_xyxy_px":[0,0,5,5]}],"options":[{"label":"A","value":"2"},{"label":"B","value":"3"}],"answer":{"format":"single_choice","value":"A"},"joint_group":null,"wordings":[{"protocol":"bbox_text","question":"Which 1?","option_texts":["2","3"]}],"derivation":{"rule":"r","annotator":"anna","annotation_sha256":"0000000000000000000000000000000000000000000000000000000000000000","instance_ids":[],"surface_ids":[],"links":[],"parameters":{"by":[]}},"margin":null,"source":"auto","review":"unreviewed","original":null}',1,'waiting',0);
INSERT INTO "items" VALUES('mc_001-0002',2,'s','i0','mc_001','c471fb68','["anna"]','{"schema_version":1,"item_id":"mc_001-0002","template_id":"mc_001","image_id":"i0","scene_id":"s","direction":null,"marks":[{"label":"X","instance_id":1,"role":"slot","box_xyxy_px":[0,0,5,5]}],"options":[{"label":"A","value":"2"},{"label":"B","value":"3"}],"answer":{"format":"single_choice","value":"A"},"joint_group":null,"wordings":[{"protocol":"bbox_text","question":"Which 2?","option_texts":["2","3"]}],"derivation":{"rule":"r","annotator":"anna","annotation_sha256":"0000000000000000000000000000000000000000000000000000000000000000","instance_ids":[],"surface_ids":[],"links":[],"parameters":{"by":[]}},"margin":null,"source":"auto","review":"unreviewed","original":null}',1,'waiting',0);
CREATE TABLE leases (
    kind text not null,
    work_id text not null,
    name text not null references people (name),
    until text not null,
    primary key (kind, work_id, name)
) strict;
INSERT INTO "leases" VALUES('review','mc_001-0001','cora','2026-01-01T00:30:00+00:00');
CREATE TABLE logins (
    token_sha256 text primary key,
    name text not null references people (name),
    expires_at text not null
) strict;
CREATE TABLE people (
    name text primary key,
    role text not null,
    password text not null,
    created_at text not null,
    is_active integer not null default 1
) strict;
INSERT INTO "people" VALUES('anna','annotator','scrypt$16384$8$1$6d029f98264524313afbf5ed81cb424b$c043b2bf6a80a8f11b4f0ef8bbd26049673789973e9055dad348b81db8b76e935380f4bc0d9755d9e7279217ff232c4b12cad4e9deaa5a68e702bf7d14be02e7','2026-01-01T00:00:00+00:00',1);
INSERT INTO "people" VALUES('cora','reviewer','scrypt$16384$8$1$3e5fad7c64cd5f44873bffab937ff68f$af83b0b6d63ff4a21e517cd19af5861463833a5d433fc96875e51337bf03695efc9001d7945e4e4fd3d8ff6cb5b8b3f9e6cfec69bafc924a4ecc4ea8be6608ef','2026-01-01T00:00:00+00:00',1);
INSERT INTO "people" VALUES('dora','reviewer','scrypt$16384$8$1$58fa21322dfdc03186814540a3f54f49$d1a0dad9f2f1a7b4bf2ef36319c09e9fae09d54e126e499469122c7420e69648db1a2bf325b871ac119062fac2754911c8d05ef0b1398f04f9b3b86dc30d18fb','2026-01-01T00:00:00+00:00',1);
INSERT INTO "people" VALUES('emil','adjudicator','scrypt$16384$8$1$aa2b7b321b55c069363fad578e938741$267370f803db858750cdf9072879736001687b49214bbabcc734a6bcc11013b33fafc4514b908aaac97444a053cc47e34b951782e3b5d1637d2bf002960c1aa1','2026-01-01T00:00:00+00:00',1);
INSERT INTO "people" VALUES('root','admin','scrypt$16384$8$1$85c2e315b437a5f1c5770b8b8b572ec7$3c26f0a662f681d6ac993e174fe2127f50964528e783eda2c136631e2a15c3c99222de4c0e0422f0bc79127ce20b553c4773331b9c3280ec0f29bfd3d1826188','2026-01-01T00:00:00+00:00',1);
CREATE TABLE verdicts (
    id integer primary key,
    item_id text not null,
    item_sha8 text not null,
    reviewer text not null references people (name),
    role text not null,
    content text not null,
    at text not null,
    token text not null unique
) strict;
INSERT INTO "verdicts" VALUES(1,'mc_001-0000','d4e10217','cora','reviewer','{"schema_version":1,"item_id":"mc_001-0000","reviewer":"cora","at":"2026-01-01T00:00:00Z","verdict":"accepted","edit":null,"reason":null,"doubts":[],"role":"reviewer","item_sha8":"d4e10217"}','2026-01-01T00:00:00+00:00','cora');
INSERT INTO "verdicts" VALUES(2,'mc_001-0000','d4e10217','dora','reviewer','{"schema_version":1,"item_id":"mc_001-0000","reviewer":"dora","at":"2026-01-01T00:00:00Z","verdict":"accepted","edit":null,"reason":null,"doubts":[],"role":"reviewer","item_sha8":"d4e10217"}','2026-01-01T00:00:00+00:00','dora');
CREATE INDEX failed_logins_name on failed_logins (name, at);
CREATE INDEX items_waiting on items (is_current, state, given desc, place);
CREATE INDEX verdicts_item on verdicts (item_id);
CREATE INDEX answers_item on answers (item_id);
COMMIT;
PRAGMA user_version = 1;
