/** A catalog in OSCAL, small or as large as those that NIST publishes. */

import type { Operation } from './apis.js';

/** The operation that imports a catalog. */
export const IMPORT: Operation = {
  rest: 'POST /api/v1/v-ciso/organizations/{organization_id}/available-workflows',
  graphql: `mutation ($input: ImportWorkflowInput!) { importWorkflow(input: $input) {
    workflowImport { id: workflowId mode name version: edition controls: controlCount } } }`,
  at: 'importWorkflow.workflowImport',
};

const uuid = (n: number) => `5f0c5a1e-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The metadata of a catalog. */
export const METADATA = {
  title: 'House Catalog',
  'last-modified': '2026-01-02T03:04:05Z',
  version: '5.1.1+u4',
  'oscal-version': '1.1.2',
};

/** A control of a catalog. */
export const oscalControl = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, ...more });

/** The property of a withdrawn control. */
export const WITHDRAWN = { props: [{ name: 'status', value: 'withdrawn' }] };
/** The class of a control that enhances another. */
export const ENHANCEMENT = { class: 'SP800-53-enhancement' };

/** Two groups, one of them within the other, a control with an enhancement and one with a control below it. */
export const oscalCatalog = (more: object = {}) => ({
  uuid: uuid(1),
  metadata: METADATA,
  groups: [
    {
      id: 'ac',
      class: 'family',
      title: 'Access Control',
      controls: [
        oscalControl('ac-1', { params: [{ id: 'ac-1_prm_1' }], props: [{ name: 'label', value: 'AC-1' }] }),
        oscalControl('ac-2', { controls: [oscalControl('ac-2.1', ENHANCEMENT), oscalControl('ac-2.2', WITHDRAWN)] }),
        oscalControl('ac-3', WITHDRAWN),
      ],
      groups: [{ id: 'ac-net', title: ' Network\n access ', controls: [oscalControl('ac-4')] }],
    },
    { id: 'gone', title: 'Gone', controls: [oscalControl('gone-1', WITHDRAWN)] },
    { title: 'No id', controls: [oscalControl('ca-1', { controls: [oscalControl('ca-1.a')] })] },
  ],
  'back-matter': { resources: [{ uuid: uuid(2), title: 'A source' }] },
  ...more,
});

/** As many groups, controls and enhancements as the LOW baseline of SP 800-53, revision 5, with as much prose. */
export function largeCatalog(bytes = 2_626_260): string {
  const groups = Array.from({ length: 18 }, (_, group) => ({
    id: `g${group}`,
    title: `Family ${group}`,
    controls: Array.from({ length: group < 5 ? 8 : 7 }, (__, n) => control(`g${group}-${n}`, n === 0)),
  }));
  const written = (prose: string) =>
    JSON.stringify({ catalog: oscalCatalog({ groups, 'back-matter': { resources: [{ prose }] } }) }, null, 2);
  return written('x'.repeat(bytes - Buffer.byteLength(written(''))));
}

function control(id: string, isEnhanced: boolean): object {
  const parts = Array.from({ length: 20 }, (_, n) => ({
    id: `${id}_smt.${n}`,
    name: 'statement',
    prose: 'What has to be done, by whom and how often. '.repeat(12),
    parts: [{ name: 'item', prose: 'In particular.' }],
  }));
  const controls = isEnhanced ? [oscalControl(`${id}.1`, { ...ENHANCEMENT, parts })] : [];
  return oscalControl(id, { class: 'SP800-53', parts, controls });
}
