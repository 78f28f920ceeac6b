import type { DemoFacts } from '../../../src/demo/demo.js';
import { generateToken } from '../../../src/auth/token.js';
import type { Random } from '../support/random.js';

const KEPT = 300;

/** Existing ids and tokens, so that requests pass the first look-up; responses add more. */
export class Pool {
  private readonly integers: number[];
  private readonly uuids: string[] = ['2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d'];
  private readonly globalIds: string[] = ['Incident:1'];
  private readonly tokens: readonly string[];

  constructor(
    private readonly facts: DemoFacts,
    private readonly random: Random,
  ) {
    const { organization_id, other_organization_id, cloud_defender_id, atb_id, incident_id } = facts;
    this.integers = [organization_id, other_organization_id, cloud_defender_id, atb_id, incident_id];
    this.tokens = Object.values(facts.tokens);
  }

  learn(answer: string): void {
    const text = answer.slice(0, 20_000);
    for (const [, id] of text.matchAll(/"(?:id|databaseId)":"?(\d{1,9})\b/g)) this.sample(this.integers, Number(id));
    for (const [, id] of text.matchAll(/"id":"([A-Z]\w+:[^"]+)"/g)) this.sample(this.globalIds, id as string);
    for (const [, id] of text.matchAll(/"([0-9a-f]{8}-[0-9a-f-]{27})"/g)) this.sample(this.uuids, id as string);
  }

  /** Undefined for no token. */
  token(): string | undefined {
    const kind = this.random.below(20);
    if (kind === 0) return undefined;
    if (kind === 1) return this.random.pick(['', 'scp_', 'scp_x', 'x'.repeat(5_000), generateToken()]);
    if (kind < 12) return this.facts.tokens.owner;
    return this.random.pick(this.tokens);
  }

  integer(): number {
    return this.random.chance(0.3) ? this.facts.organization_id : this.random.pick(this.integers);
  }

  globalId(): string {
    return this.random.pick(this.globalIds);
  }

  uuid(): string {
    return this.random.pick(this.uuids);
  }

  /** A value for a name such as `organizationid`, `workflow_id` or `controlId`; undefined if none is known. */
  named(name: string): string | number | undefined {
    const plain = name.toLowerCase().replaceAll('_', '');
    if (plain === 'organizationid') {
      const { organization_id, other_organization_id } = this.facts;
      return this.random.chance(0.85) ? organization_id : other_organization_id;
    }
    if (plain === 'workflowid')
      return this.random.pick([this.facts.workflow_id, 'nis2-directive', 'incident-readiness']);
    if (plain === 'artifactid' || plain === 'controlid')
      return this.random.pick([this.facts.artifact_id, 'A.5.7', '21.2.a']);
    if (plain === 'incidentid') return this.random.chance(0.5) ? this.facts.incident_id : this.integer();
    if (plain === 'userid') return this.uuid();
    return undefined;
  }

  private sample<Item>(items: Item[], item: Item): void {
    if (items.length < KEPT) items.push(item);
    else items[this.random.below(KEPT)] = item;
  }
}
