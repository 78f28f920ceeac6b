import type { Database } from '../../src/database/database.js';

/** A step of a plan, as far as it is looked at. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** With or without its values: both are plans that the server may choose for a statement that it is sent often. */
export type PlanMode = 'custom' | 'generic';

/** A statement that is explained. */
export interface Statement {
  text: string;
  /** May be left out where the plan is generic. */
  values?: readonly unknown[];
}

type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };

/** All steps of the plan that the server makes of a statement, which is not run. */
export async function planNodes(database: Database, statement: Statement, mode: PlanMode): Promise<PlanNode[]> {
  const explain = mode === 'generic' ? explainGeneric : explainCustom;
  const [row] = await explain(database, statement);
  return nodesBelow(row!['QUERY PLAN'][0].Plan);
}

/** Tables that a plan reads from one end to the other. */
export function wholeReads(nodes: readonly PlanNode[]): string[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] as string);
}

/** The gateway's sessions avoid whole reads, which would hide that an index is missing. */
const AS_CHEAP_AS_POSSIBLE = 'set local enable_seqscan = on';

function explainCustom(database: Database, { text, values }: Statement): Promise<Explained[]> {
  return database.transaction(async (tx) => {
    await tx.rows(AS_CHEAP_AS_POSSIBLE);
    return tx.rows<Explained>(`explain (format json) ${text}`, values);
  });
}

function explainGeneric(database: Database, { text }: Statement): Promise<Explained[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`;
  return database.transaction(async (tx) => {
    await tx.rows('set local plan_cache_mode = force_generic_plan');
    await tx.rows(AS_CHEAP_AS_POSSIBLE);
    await tx.rows(`prepare looked as ${text}`);
    const plan = await tx.rows<Explained>(`explain (format json) execute looked${nulls}`);
    await tx.rows('deallocate looked');
    return plan;
  });
}

export function nodesBelow(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesBelow)];
}
