import { Migration } from '@mikro-orm/migrations';

/** Webhook endpoints of users, over the organizations that they manage, and organizations that allow none. */
export class UserWebhooks extends Migration {
  override name = 'UserWebhooks';

  override up(): void {
    this.addSql(`
      alter table "organization" add "user_webhooks_allowed" boolean not null default true;
      create index "membership_manager_index" on "membership" ("organization_id", "user_id") where role in ('ORGANIZATION_MANAGER', 'ORGANIZATION_OWNER') and deactivated_at is null;
      alter table "webhook_endpoint" add "user_id" uuid null, add "token_id" bigint null;
      alter table "webhook_endpoint" add constraint "webhook_endpoint_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
      alter table "webhook_endpoint" add constraint "webhook_endpoint_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete set null;
      alter table "webhook_endpoint" alter column "organization_id" drop not null;
      create index "webhook_endpoint_user_id_id_index" on "webhook_endpoint" ("user_id", "id");
      create index "webhook_endpoint_token_id_index" on "webhook_endpoint" ("token_id");
      alter table "webhook_endpoint" add constraint "webhook_endpoint_owner_check" check ((organization_id is null) <> (user_id is null));
    `);
  }
}
