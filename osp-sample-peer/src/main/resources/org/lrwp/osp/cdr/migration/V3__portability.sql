alter table osp_carriers add column cic text;
create table osp_ported (prefix text, routing_number text, cic text);
