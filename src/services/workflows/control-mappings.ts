import { MAX_ERRORS, type Path } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { CatalogWorkflow } from './catalog-file.js';
import type { CatalogError } from './catalog-text.js';

/** A control wherever it is. */
export interface ControlRef {
  readonly workflowId: string;
  readonly controlId: string;
}

/** An equivalent control of another workflow. */
export interface ControlMatch extends ControlRef {
  /** The control that the mapping names where it names the heading of one of the two; null where it names both. */
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
 * Equivalent controls of two workflows, so that one document counts for both. Read in both directions, inherited by what
 * is below one of the two, and never through a third control: equivalence is not transitive.
 */
export class ControlMappings {
  private readonly matches = new Map<string, Map<string, ControlMatch>>();
  /** Ids of mappings that would exceed the number of pairs: none of theirs counts. */
  readonly omitted: readonly string[];
  /** How many pairs there are, inherited ones and repeated ones included. */
  readonly size: number;

  /** Pairs of a workflow or control that is not among these are ignored: an import may have taken it away. */
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

  /** Adds one direction. A mapping of the control itself goes before an inherited one. */
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

/** A control with what is directly below it. */
interface Branch extends ControlRef {
  readonly position: number;
  readonly children: Branch[];
  /** How many controls are below it, at any depth. */
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

/** Parents stand before their children. */
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

/** `find` knows the workflows that may be mapped. A mapping of an unknown control would wait for documents for ever. */
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
