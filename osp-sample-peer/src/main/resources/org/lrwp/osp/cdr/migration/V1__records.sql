-- Each script may run again: a crash can leave it applied and not yet in the history.
create table if not exists osp_usage (
    fingerprint text primary key,
    received text not null,
    role text not null,
    transaction_id text not null,
    call_id text not null,
    calling text not null,
    called text not null,
    source text not null,
    destination text not null,
    customer text not null,
    device text not null,
    group_id text not null,
    seconds text not null,
    started text not null,
    alerted text not null,
    connected text not null,
    ended text not null,
    post_dial_delay text not null,
    released text not null,
    cause text not null,
    cause_type text not null,
    protocol text not null,
    codec text not null,
    losses text not null
);
create index if not exists osp_usage_received on osp_usage (received);
create index if not exists osp_usage_transaction on osp_usage (transaction_id, call_id);

create table if not exists osp_authorised (
    id text primary key,
    issued text not null,
    transaction_id text not null,
    call_id text not null,
    device text not null,
    calling text not null,
    called text not null,
    routed_calling text not null,
    routed_called text not null,
    destination text not null,
    address text not null
);
create index if not exists osp_authorised_issued on osp_authorised (issued);
create index if not exists osp_authorised_transaction on osp_authorised (transaction_id, call_id);

-- Each usage with what was authorised for it, and what is odd about it.
drop view if exists osp_cdr;
create view osp_cdr as
select u.*,
    (select min(a.device) from osp_authorised a
        where a.transaction_id = u.transaction_id and a.call_id = u.call_id) as authorised_device,
    (select min(a.calling) from osp_authorised a
        where a.transaction_id = u.transaction_id and a.call_id = u.call_id) as original_calling,
    (select min(a.called) from osp_authorised a
        where a.transaction_id = u.transaction_id and a.call_id = u.call_id) as original_called,
    case when exists (select 1 from osp_authorised a where a.transaction_id = u.transaction_id)
        then 'no' else 'yes' end as unmatched,
    case when exists (select 1 from osp_usage e
        where e.transaction_id = u.transaction_id and e.call_id = u.call_id and e.role = u.role
            and e.destination = u.destination
            and (e.received < u.received or (e.received = u.received and e.fingerprint < u.fingerprint)))
        then 'yes' else 'no' end as duplicate
from osp_usage u;

-- A call is what its two sides say of one transaction and call id.
drop view if exists osp_calls;
create view osp_calls as
select transaction_id, call_id,
    min(received) as first_received,
    max(case when role = 'source' then seconds end) as source_seconds,
    max(case when role = 'destination' then seconds end) as destination_seconds,
    sum(case when role = 'source' then 1 else 0 end) as source_reports,
    sum(case when role = 'destination' then 1 else 0 end) as destination_reports
from osp_usage
group by transaction_id, call_id;
