-- Not "add column": that cannot run again in both databases.
create table osp_carriers_next (name text primary key, suspended text, cic text);
insert into osp_carriers_next (name, suspended) select name, suspended from osp_carriers;
drop table osp_carriers;
alter table osp_carriers_next rename to osp_carriers;
create table if not exists osp_ported (prefix text, routing_number text, cic text);
