create table if not exists osp_devices (
    name text primary key, address text, network text, customer text, device text, tech_prefix text,
    enrolled text, suspended text, tokens text, tariff text, min_margin text, max_rate text, max_calls text
);
create table if not exists osp_carriers (name text primary key, suspended text);
create table if not exists osp_destinations (
    name text primary key, carrier text, address text, network text, protocol text, osp text, out_prefix text,
    capacity text, suspended text, min_asr text, min_acd text, max_pdd text
);
create table if not exists osp_prefixes (prefix text, destination text, cost text, priority text, weight text);
create table if not exists osp_tariffs (tariff text, prefix text, price text);
create table if not exists osp_blocked (prefix text);
create table if not exists osp_translations (kind text, moment text, scope text, prefix text, strip text, added text);

-- Whoever changes routes adds 1; the server reads them again when it has seen that.
create table if not exists osp_routes_version (version integer not null);
insert into osp_routes_version (version)
    select 0 where not exists (select 1 from osp_routes_version);
