import { Migration } from '@mikro-orm/migrations';

/**
 * Columns that count as a change of a row, as in `Versions`: none that changes by itself, such as when a token was last
 * used.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  api_token: ['expires_at', 'revoked_at', 'allowed_ips', 'replaced_at'],
  invitation: ['sent_at', 'expires_at', 'accepted_at', 'closed_at'],
  identity_provider: [
    ...['name', 'issuer', 'client_id', 'client_secret', 'default_role', 'groups_claim', 'group_roles'],
    ...['redirect_uris', 'deleted_at'],
  ],
  workflow_import: ['mode', 'content', 'imported_at'],
};

/** Preferences of a member have versions apart from that of the member, which others change. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  alerts: ['alert_atb', 'alert_cloud_defender', 'alert_v_ciso'],
  mail_preferences: ['mail_preferences'],
};

const FUNCTIONS = `
  create function raise_alerts_version() returns trigger language plpgsql as $$
  begin
    new.alerts_version := old.alerts_version + 1;
    return new;
  end $$;

  create function raise_mail_preferences_version() returns trigger language plpgsql as $$
  begin
    new.mail_preferences_version := old.mail_preferences_version + 1;
    return new;
  end $$;

  -- An identity provider shows its domains, and whether the organization requires it.
  create function raise_version_of_domain() returns trigger language plpgsql as $$
  begin
    update identity_provider set version = version + 1 where id = coalesce(new.provider_id, old.provider_id);
    return null;
  end $$;
  create trigger identity_domain_version after insert or update or delete on "identity_domain"
    for each row execute function raise_version_of_domain();

  create function raise_version_of_required() returns trigger language plpgsql as $$
  begin
    update identity_provider set version = version + 1 where id in (old.required_provider_id, new.required_provider_id);
    return null;
  end $$;
  create trigger organization_required_provider_version after update on "organization" for each row
    when (old.required_provider_id is distinct from new.required_provider_id) execute function raise_version_of_required();
`;

/** Versions of what `Versions` has left out: tokens, invitations, identity providers, imports, and what members want. */
export class MoreVersions extends Migration {
  override name = 'MoreVersions';

  override up(): void {
    for (const table of Object.keys(COLUMNS))
      this.addSql(`alter table "${table}" add "version" int not null default 1;`);
    for (const part of Object.keys(WANTED))
      this.addSql(`alter table "membership" add "${part}_version" int not null default 1;`);
    this.addSql(FUNCTIONS);
    for (const [table, columns] of Object.entries(COLUMNS)) this.addSql(trigger(table, 'version', columns));
    for (const [part, columns] of Object.entries(WANTED))
      this.addSql(trigger('membership', `${part}_version`, columns));
  }
}

function trigger(table: string, version: string, columns: readonly string[]): string {
  const of = (row: string) => columns.map((column) => `${row}."${column}"`).join(', ');
  return `
    create trigger ${table}_${version} before update on "${table}" for each row
      when ((${of('old')}) is distinct from (${of('new')})) execute function raise_${version}();`;
}
