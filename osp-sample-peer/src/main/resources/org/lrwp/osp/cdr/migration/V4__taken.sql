-- Tokens and signed requests that were taken, by the servers that share this database.
create table if not exists osp_taken (id text primary key, until_second bigint not null);
create index if not exists osp_taken_until on osp_taken (until_second);
