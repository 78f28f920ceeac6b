import { MAX_ERRORS, type Path } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { CatalogWorkflow } from './catalog-file.js';
import type { CatalogError } from './catalog-text.js';

/** A control of a workflow. */
export interface ControlRef {
  readonly workflowId: string;
  readonly controlId: string;
}

/** An equivalent control of another workflow. */
export interface ControlMatch extends ControlRef {
  /** The control named by the mapping if that is a heading of one of the two; null if it names both. */
  readonly via: string | null;
}

/** A mapping that is valid by its JSON Schema. */
export interface MappingFile {
  id: string;
  from: string;
  to: string;
  pairs: { control: string; matches: string[] }[];
}

/** Error of a mapping that is omitted. */
export const TOO_MANY_PAIRS = `exceed ${LIMITS.workflowImport.mappedPairs} pairs of controls, inherited ones and those of other mappings included`;

/**
 * Equivalent controls of two workflows, so that one document counts for both. Symmetric, inherited by the descendants of
 * each, and not transitive.
 */
export class ControlMappings {
  private readonly matches = new Map<string, Map<string, ControlMatch>>();
  /** Ids of mappings that would exceed the maximum number of pairs and are omitted. */
  readonly omitted: readonly string[];
  /** Number of pairs, including inherited and repeated ones. */
  readonly size: number;

  /** Pairs of an unknown workflow or control are ignored: an import may have removed it. */
  constructor(mappings: readonly MappingFile[], workflows: readonly CatalogWorkflow[]) {
    const trees = new Map(workflows.map((workflow) => [workflow.id, treeOf(workflow)]));
    const omitted: string[] = [];
    let size = 0;
    const pairs = mappings.flatMap((mapping) => {
      const own = [...pairsOf(mapping, trees)];
      const more = own.reduce((sum, { control, match }) => sum + 1 + control.below + match.below, 0);
      if (size + more > LIMITS.workflowImport.mappedPairs) {
        omitted.push(mapping.id);
        return [];
      }
      size += more;
      return own;
    });
    for (const { control, match } of pairs) this.add(control, match, null);
    for (const { control, match } of pairs) {
      for (const inner of descendantsOf(control)) this.add(inner, match, control.controlId);
      for (const inner of descendantsOf(match)) this.add(control, inner, match.controlId);
    }
    this.omitted = omitted;
    this.size = size;
  }

  /** Controls of other workflows that a document of this one counts for. */
  of(control: ControlRef): readonly ControlMatch[] {
    return [...(this.matches.get(keyOf(control))?.values() ?? [])];
  }

  private add(one: ControlRef, other: ControlRef, via: string | null): void {
    this.addOneWay(one, other, via);
    this.addOneWay(other, one, via);
  }

  /** Adds one direction. A mapping of the control itself precedes inherited ones. */
  private addOneWay(one: ControlRef, { workflowId, controlId }: ControlRef, via: string | null): void {
    let known = this.matches.get(keyOf(one));
    if (known === undefined) this.matches.set(keyOf(one), (known = new Map()));
    const key = keyOf({ workflowId, controlId });
    if (!known.has(key)) known.set(key, { workflowId, controlId, via });
  }
}

/** A control as the key of a map. */
export function keyOf({ workflowId, controlId }: ControlRef): string {
  return `${workflowId}/${controlId}`;
}

/** A control with its children. */
interface Branch extends ControlRef {
  readonly position: number;
  readonly children: Branch[];
  /** Number of its descendants. */
  below: number;
}

type Tree = ReadonlyMap<string, Branch>;

function* pairsOf({ from, to, pairs }: MappingFile, trees: ReadonlyMap<string, Tree>) {
  for (const { control: controlId, matches } of pairs) {
    const control = trees.get(from)?.get(controlId);
    for (const matchId of matches) {
      const match = trees.get(to)?.get(matchId);
      if (control !== undefined && match !== undefined) yield { control, match };
    }
  }
}

/** Parents precede their children. */
function treeOf({ id: workflowId, controls }: CatalogWorkflow): Tree {
  const tree = new Map<string | null, Branch>(
    controls.map(({ id, position }) => [id, { workflowId, controlId: id, position, children: [], below: 0 }]),
  );
  for (const { id, parentId } of controls.toReversed()) {
    const [branch, parent] = [tree.get(id) as Branch, tree.get(parentId)];
    parent?.children.push(branch);
    if (parent !== undefined) parent.below += branch.below + 1;
  }
  return tree as Tree;
}

/** In reading order. */
function descendantsOf({ children }: Branch): Branch[] {
  const found = [...children];
  for (const branch of found) found.push(...branch.children);
  return found.sort((a, b) => a.position - b.position);
}

/** `find` returns the workflows that may be mapped. A mapping of an unknown control would never have documents. */
export function pairErrors(
  { from, to, pairs }: MappingFile,
  find: (workflowId: string) => CatalogWorkflow | undefined,
): CatalogError[] {
  const errors: CatalogError[] = [];
  const add = (path: Path, sentence: string) => errors.push({ path, sentence });
  const [ours, theirs] = [from, to].map((id) => {
    const workflow = find(id);
    return workflow && new Set(workflow.controls.map((control) => control.id));
  });
  if (ours === undefined) add(['from'], 'is no workflow of the catalogue');
  if (theirs === undefined || to === from) add(['to'], 'is no other workflow of the catalogue');
  const seen = new Set<string>();
  for (const [index, { control, matches }] of pairs.entries()) {
    if (errors.length >= MAX_ERRORS) break;
    if (ours?.has(control) === false) add(['pairs', index, 'control'], `is no control of ${from}`);
    if (seen.has(control)) add(['pairs', index, 'control'], 'is there twice');
    seen.add(control);
    for (const [place, match] of matches.entries())
      if (theirs?.has(match) === false) add(['pairs', index, 'matches', place], `is no control of ${to}`);
  }
  return errors;
}
