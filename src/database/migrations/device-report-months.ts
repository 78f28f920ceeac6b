import { Migration } from '@mikro-orm/migrations';

/**
 * Reports of devices have the organization in their key, and a partition for each month; other numbers of rows that
 * could run out are bigint (docs/adr/0026). Reports of more than 90 days ago stay behind.
 */
export class DeviceReportMonths extends Migration {
  override name = 'DeviceReportMonths';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const INSTANT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Devices get their newest report. */
const DEVICES = [
  { devices: 'cloud_defender', parts: ['fqdn', 'proxy', 'endpoint'] },
  { devices: 'threat_blocker', parts: ['vpn', 'dnsbl', 'iplist'] },
].flatMap(({ devices, parts }) => [
  `alter table "${devices}" add "stat" jsonb null;`,
  `
    update "${devices}" d
       set stat = jsonb_build_object('datetime', to_char(c.datetime at time zone 'UTC', ${INSTANT}),
                                     ${parts.map((part) => `'${part}', c.${part}`).join(', ')})
      from (select distinct on (device_id) * from "${devices}_check" order by device_id, datetime desc) c
     where c.device_id = d.id;
  `,
  `drop index "${devices}_organization_id_id_index";`,
  `alter table "${devices}" add constraint "${devices}_organization_id_id_unique" unique ("organization_id", "id");`,
]);

const REPORTS = [
  {
    ...{ name: 'cloud_defender_check', devices: 'cloud_defender', time: 'datetime', type: 'timestamptz(3)' },
    columns: `"fqdn" int not null, "proxy" int not null, "endpoint" int not null, "waf_protection" int null, "total_managed_requests" int null, "fingerprint" uuid null`,
    kept: `now() - interval '90 days'`,
  },
  {
    ...{ name: 'threat_blocker_check', devices: 'threat_blocker', time: 'datetime', type: 'timestamptz(3)' },
    columns: `"vpn" int not null, "dnsbl" int not null, "iplist" int not null, "waf_protection" int null, "total_managed_requests" int null, "fingerprint" uuid null`,
    kept: `now() - interval '90 days'`,
  },
  {
    ...{ name: 'threat_blocker_traffic', devices: 'threat_blocker', time: 'bucket_start', type: 'int' },
    columns: `"bucket_end" int not null, "total_requests" int not null, "malicious_requests" int not null, "reported_at" timestamptz(3) null`,
    kept: `extract(epoch from now() - interval '90 days')`,
  },
];

/**
 * Makes the partitions of the months from `kept_since` to the one after `at`, and drops those before. A moment without a
 * partition is in `<table>_other` until then. It runs as the owner of the tables; the gateway's role may not make any.
 */
const KEEP_MONTHS = `
  create function keep_report_months(kept_since timestamptz, at timestamptz) returns void
    language plpgsql security definer set search_path = public, pg_temp
    set TimeZone = 'UTC' set lock_timeout = '2s' as $$
  declare
    reports record;
    month timestamptz;
    part text;
    bounds text[];
  begin
    perform pg_advisory_xact_lock(7214007);
    for reports in select * from (values
      ${REPORTS.map(({ name, devices, time }) => `('${name}', '${devices}', '${time}')`).join(', ')}) as r(name, devices, time)
    loop
      for month in select generate_series(date_trunc('month', kept_since), at + interval '1 month', interval '1 month') loop
        part := reports.name || to_char(month, '_YYYY_MM');
        continue when to_regclass(part) is not null;
        bounds := array[month, month + interval '1 month'];
        if reports.time = 'bucket_start' then
          bounds := array[extract(epoch from month)::int, extract(epoch from month + interval '1 month')::int];
        end if;
        -- Devices first, as requests lock them: no two then wait for each other.
        execute format('lock table %I, %I in access exclusive mode', reports.devices, reports.name);
        execute format('create table %I (like %I)', part, reports.name);
        execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from moved',
                       reports.name || '_other', reports.time, bounds[1], bounds[2], part);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)',
                       reports.name, part, bounds[1], bounds[2]);
      end loop;
      for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                   where i.inhparent = reports.name::regclass
                     and c.relname < reports.name || to_char(kept_since, '_YYYY_MM')
      loop
        execute format('lock table %I, %I in access exclusive mode', reports.devices, reports.name);
        execute format('drop table %I', part);
      end loop;
      execute format('delete from %I where %I < %L', reports.name || '_other', reports.time,
        case reports.time when 'datetime' then date_trunc('month', kept_since)::text
                          else extract(epoch from date_trunc('month', kept_since))::int::text end);
    end loop;
  end $$;
`;

const STATEMENTS: readonly string[] = [
  ...DEVICES,
  ...REPORTS.flatMap(({ name, devices, time, type, columns }) => [
    `alter table "${name}" rename to "${name}_before";`,
    `alter table "${name}_before" drop constraint "${name}_pkey";`,
    `create table "${name}" ("organization_id" int not null, "device_id" int not null, "${time}" ${type} not null, ${columns}, primary key ("organization_id", "device_id", "${time}")) partition by range ("${time}");`,
    `alter table "${name}" add constraint "${name}_organization_id_device_id_foreign" foreign key ("organization_id", "device_id") references "${devices}" ("organization_id", "id") on delete cascade;`,
    `create table "${name}_other" partition of "${name}" default;`,
  ]),
  KEEP_MONTHS,
  `revoke execute on function keep_report_months(timestamptz, timestamptz) from public;`,
  `select keep_report_months(now() - interval '90 days', now());`,
  ...REPORTS.flatMap(({ name, devices, time, columns, kept }) => {
    const names = ['device_id', time, ...[...columns.matchAll(/"(\w+)"/g)].map(([, column]) => column)].join(', ');
    return [
      `insert into "${name}" (organization_id, ${names}) select d.organization_id, ${names.replace('device_id', 'b.device_id').replaceAll(/(?<=, )/g, 'b.')} from "${name}_before" b join "${devices}" d on d.id = b.device_id where b.${time} >= ${kept};`,
      `drop table "${name}_before";`,
    ];
  }),
  `drop index "notification_organization_id_index";`,
  `create index "notification_organization_id_id_index" on "notification" ("organization_id", "id");`,
  `alter table "mail_digest" alter column "notification_id" type bigint;`,
  ...[
    ...['control_state', 'membership', 'notification', 'organization_workflow', 'token_block', 'token_recovery'],
    ...['weekly_report_run', 'workflow_import', 'workflow_progress'],
  ].flatMap((name) => [
    `alter table "${name}" alter column "id" type bigint;`,
    `alter sequence "${name}_id_seq" as bigint;`,
  ]),
];
