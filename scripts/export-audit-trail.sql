-- Exports the audit trail of an organization from its database, as GET .../audit-trail.ndjson does: for organizations that were
-- deleted for good, whose trail no token can read. Values about persons stay encrypted.
--
--     psql -XqAt -v id=7 -f scripts/export-audit-trail.sql "$DATABASE_URL" > export.ndjson
-- Bytes as they were hashed, whatever the terminal of who exports them has.
set client_encoding = 'UTF8';
with log as (select * from audit_log where organization_id = :id),
     entries as (select e.* from audit_entry e join log on log.id = e.log_id),
     pruned as (select entry::jsonb #> '{changes,pruned,after}' as said from entries
                 where action = 'AUDIT_TRAIL_PRUNED' order by position desc limit 1),
     made as (
       select c.position, c.number, max(c.number) over () as last, json_strip_nulls(json_build_object(
                'log', 'organization/' || :id, 'position', c.position, 'hash', encode(c.hash, 'hex'),
                'at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'key_id', c.key_id,
                'number', case when c.previous is not null then c.number end, 'previous', encode(c.previous, 'hex'),
                'signature', rtrim(translate(encode(c.signature, 'base64'), E'+/\n', '-_'), '='),
                'chain_signature', rtrim(translate(encode(c.chain_signature, 'base64'), E'+/\n', '-_'), '='))) as said
         from audit_checkpoint c join log on log.id = c.log_id),
     lines as (
       select 0::numeric as place, json_build_object('pruned', said)::text as line from pruned
       union all
       select e.position, format('{"position":%s,"hash":"%s","entry":%s}', e.position, encode(e.hash, 'hex'), e.entry)
         from entries e where e.position <= (select max(position) from made)
       union all
       select position + 0.5, json_build_object(case when number = last then 'checkpoint' else 'earlier_checkpoint' end, said)::text
         from made)
select line from lines order by place;
