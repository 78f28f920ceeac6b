import type { Database } from '../../src/database/database.js';

/** The relevant fields of a plan node. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** With or without its values: the server may choose either plan for a frequent statement. */
export type PlanMode = 'custom' | 'generic';

/** A statement to explain. */
export interface Statement {
  text: string;
  /** May be omitted for a generic plan. */
  values?: readonly unknown[];
}

type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };

/** All nodes of the server's plan for a statement, which is not executed. */
export async function planNodes(database: Database, statement: Statement, mode: PlanMode): Promise<PlanNode[]> {
  const explain = mode === 'generic' ? explainGeneric : explainCustom;
  const [row] = await explain(database, statement);
  return nodesBelow(row!['QUERY PLAN'][0].Plan);
}

/** Tables with a sequential scan in a plan. */
export function wholeReads(nodes: readonly PlanNode[]): string[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] as string);
}

/** The gateway's sessions disable sequential scans, which would hide a missing index. */
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
