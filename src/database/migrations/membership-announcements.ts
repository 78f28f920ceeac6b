import { Migration } from '@mikro-orm/migrations';

/** A new membership takes no access away and is not announced: transactions that announce commit one after the other. */
export class MembershipAnnouncements extends Migration {
  override name = 'MembershipAnnouncements';

  override up(): void {
    this.addSql(`
      drop trigger membership_access on "membership";
      create trigger membership_access after update of user_id, organization_id, role, deactivated_at or delete
        on "membership" for each row execute function announce_access_change();
    `);
  }
}
