import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlOf, WorkflowCatalog } from '../../src/services/workflows/catalog.js';
import { LIMITS } from '../../src/values/limits.js';

const shipped = fileURLToPath(new URL('../../catalog', import.meta.url));
const catalog = WorkflowCatalog.load(shipped);

const controlIn = (workflowId: string, controlId: string) => {
  const workflow = catalog.find(workflowId);
  return workflow && controlOf(workflow, controlId);
};
const idsOf = (workflowId: string) => catalog.find(workflowId)!.controls.map((control) => control.id);
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);

describe('the shipped workflows', () => {
  it('are listed by id, with the names that people see', () => {
    expect(catalog.list().map(({ id, name, kind }) => [id, name, kind])).toEqual([
      ['eu-ai-act', 'EU AI Act, obligations', 'FRAMEWORK'],
      ['incident-readiness', 'Incident readiness', 'TASK_SET'],
      ['iso-27001-2022', 'ISO/IEC 27001:2022', 'FRAMEWORK'],
      ['iso-27017-2015', 'ISO/IEC 27017:2015', 'FRAMEWORK'],
      ['iso-27018-2019', 'ISO/IEC 27018:2019', 'FRAMEWORK'],
      ['iso-27701-2025', 'ISO/IEC 27701:2025', 'FRAMEWORK'],
      ['nis2-directive', 'NIS 2 Directive', 'FRAMEWORK'],
      ['nis2-it-baseline', 'NIS 2 baseline measures, Italy', 'FRAMEWORK'],
      ['nis2-regulation-2024-2690', 'NIS 2 Implementing Regulation, Annex', 'FRAMEWORK'],
      ['nist-csf-2-0', 'NIST Cybersecurity Framework 2.0', 'FRAMEWORK'],
      ['pci-dss-4-0-1', 'PCI DSS 4.0.1', 'FRAMEWORK'],
      ['soc-2-2017', 'SOC 2 trust services criteria', 'FRAMEWORK'],
    ]);
  });

  it('each state their source and their licence', () => {
    for (const workflow of catalog.list()) {
      expect(workflow.source).toMatch(/\S/);
      expect(workflow.licence).toMatch(/our own/);
      expect(workflow.edition).toMatch(/\S/);
    }
  });

  it('give every control a place without gaps, below a heading that exists', () => {
    for (const { id, controls } of catalog.list()) {
      expect(controls.map((control) => control.position)).toEqual(controls.map((_, index) => index + 1));
      for (const { parentId, position } of controls) {
        if (parentId !== null) expect(controlIn(id, parentId)!.position).toBeLessThan(position);
      }
    }
  });

  it('hang each control under the heading that its number names', () => {
    for (const id of ['iso-27001-2022', 'nis2-directive']) {
      for (const control of catalog.find(id)!.controls) {
        const above = control.id.replace(/\.?[^.]+$/, '');
        expect([control.id, control.parentId]).toEqual([control.id, above === '' || above === 'A' ? null : above]);
      }
    }
  });

  it('never label two controls of one workflow alike', () => {
    for (const { controls } of catalog.list()) {
      expect(new Set(controls.map((control) => control.label.toLowerCase())).size).toBe(controls.length);
    }
  });
});

describe('iso-27001-2022', () => {
  it('has clauses 4 to 10 and Annex A with 37, 8, 14 and 34 controls, in the order of the standard', () => {
    const clauses = [
      ...['4', '4.1', '4.2', '4.3', '4.4', '5', '5.1', '5.2', '5.3'],
      ...['6', '6.1', '6.1.1', '6.1.2', '6.1.3', '6.2', '6.3'],
      ...['7', '7.1', '7.2', '7.3', '7.4', '7.5', '7.5.1', '7.5.2', '7.5.3', '8', '8.1', '8.2', '8.3'],
      ...['9', '9.1', '9.2', '9.2.1', '9.2.2', '9.3', '9.3.1', '9.3.2', '9.3.3', '10', '10.1', '10.2'],
    ];
    const annex = [
      ...['A.5', ...numbered('A.5.', 37), 'A.6', ...numbered('A.6.', 8)],
      ...['A.7', ...numbered('A.7.', 14), 'A.8', ...numbered('A.8.', 34)],
    ];
    expect(idsOf('iso-27001-2022')).toEqual([...clauses, ...annex]);
    expect(idsOf('iso-27001-2022').filter((id) => /^A\.\d\.\d+$/.test(id))).toHaveLength(93);
  });

  it('says that the titles are not ours', () => {
    expect(catalog.find('iso-27001-2022')!.licence).toMatch(/copyright of ISO and IEC/);
  });
});

describe('nis2-directive', () => {
  it('has what Articles 20, 21 and 23 require of entities, in the order of the Directive', () => {
    const letters = (paragraph: string, last: string) =>
      [...'abcdefghij'].filter((letter) => letter <= last).map((letter) => `${paragraph}.${letter}`);
    expect(idsOf('nis2-directive')).toEqual([
      ...['20', '20.1', '20.2'],
      ...['21', '21.1', '21.2', ...letters('21.2', 'j'), '21.3', '21.4'],
      ...['23', '23.1', '23.2', '23.3', ...letters('23.3', 'b'), '23.4', ...letters('23.4', 'e'), '23.7'],
    ]);
  });
});

describe('incident-readiness', () => {
  it('is five groups of tasks, numbered through', () => {
    const { controls } = catalog.find('incident-readiness')!;
    const groups = controls.filter((control) => control.parentId === null).map((control) => control.id);
    expect(groups).toEqual(['IR-PREP', 'IR-DETECT', 'IR-RESPOND', 'IR-REPORT', 'IR-RECOVER']);
    expect(controls.filter((control) => control.parentId !== null).map((control) => control.id)).toEqual(
      Array.from({ length: 19 }, (_, i) => `IR-${String(i + 1).padStart(2, '0')}`),
    );
    expect(controls.every((control) => control.kind === 'TASK')).toBe(true);
  });
});

describe('looking up', () => {
  it('finds a workflow and a control by their ids', () => {
    expect(catalog.find('nis2-directive')).toBe(catalog.list()[6]);
    expect(controlIn('iso-27001-2022', 'A.7.10')).toMatchObject({
      id: 'A.7.10',
      parentId: 'A.7',
      kind: 'CONTROL',
    });
  });

  it('has the address of the published source, or null when there is none', () => {
    expect(catalog.find('nis2-directive')!.sourceUrl).toBe('https://eur-lex.europa.eu/eli/dir/2022/2555/oj');
    expect(catalog.find('incident-readiness')!.sourceUrl).toBeNull();
  });

  it('finds a control only in its own workflow and by its exact spelling', () => {
    expect(controlIn('nis2-directive', 'A.5.1')).toBeUndefined();
    expect(controlIn('iso-27001-2022', 'a.5.1')).toBeUndefined();
    expect(controlIn('no-such-workflow', 'A.5.1')).toBeUndefined();
    expect(catalog.find('ISO-27001-2022')).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('finds nothing under %j', (id) => {
    expect(catalog.find(id)).toBeUndefined();
    expect(controlIn(id, id)).toBeUndefined();
    expect(controlIn('iso-27001-2022', id)).toBeUndefined();
  });

  it('returns frozen workflows', () => {
    const workflow = catalog.find('iso-27001-2022')!;
    for (const part of [catalog.list(), workflow, workflow.controls, ...workflow.controls]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('a faulty catalogue', () => {
  let directory: string;
  const valid = readFileSync(join(shipped, 'incident-readiness.yaml'), 'utf8');

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'workflow-catalog-'));
    copyFileSync(join(shipped, 'workflow.schema.json'), join(directory, 'workflow.schema.json'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function load(files: Record<string, string>): WorkflowCatalog {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    try {
      return WorkflowCatalog.load(directory);
    } finally {
      for (const name of Object.keys(files)) rmSync(join(directory, name));
    }
  }

  function errorsOf(files: Record<string, string>): string[] {
    try {
      load(files);
    } catch (error) {
      return (error as Error).message.split('\n  ').slice(1);
    }
    return [];
  }

  const small = (controls: string) =>
    `id: small\nname: Small\nversion: '1'\nsource:\n  text: Ours\nlicence: Ours\ncontrols:\n${controls}`;
  const control = (id: string, more = '') => `  - id: ${id}\n    label: Do ${id}\n    kind: control\n${more}`;

  it('is not what a correct file makes', () => {
    expect(errorsOf({ 'incident-readiness.yaml': valid, 'small.yaml': small(control('a')) })).toEqual([]);
  });

  it('takes a workflow without kind and url for a framework without address', () => {
    expect(load({ 'small.yaml': small(control('a')) }).find('small')).toEqual({
      id: 'small',
      name: 'Small',
      edition: '1',
      kind: 'FRAMEWORK',
      source: 'Ours',
      sourceUrl: null,
      licence: 'Ours',
      remarks: null,
      controls: [{ id: 'a', label: 'Do a', text: null, parentId: null, kind: 'CONTROL', position: 1, entities: null }],
    });
  });

  it('leaves an unquoted number as it was written', () => {
    const loaded = load({ 'small.yaml': small(control('7.1') + control('7.10') + control('0x10')) });
    expect(loaded.find('small')!.controls.map(({ id }) => id)).toEqual(['7.1', '7.10', '0x10']);
  });

  it('is refused for an unknown key, a missing one, an empty value and a value off the list, each by line and place', () => {
    const text = small(control('a', '    hue: red\n') + '  - id: b\n    label:\n    kind: chore\n  - id: c\n');
    expect(errorsOf({ 'small.yaml': text })).toEqual([
      'small.yaml:8 controls[0]: unknown key hue',
      expect.stringMatching(/^small\.yaml:13 controls\[1\]\.label: must /),
      'small.yaml:14 controls[1].kind: must be one of control, task',
      "small.yaml:15 controls[2]: must have required property 'label'",
      "small.yaml:15 controls[2]: must have required property 'kind'",
    ]);
  });

  it.each(['../a', 'a/b', 'a b', 'a?b', 'a%b', '.a', '-a', "'..'", "''"])('is refused for the control id %s', (id) => {
    expect(errorsOf({ 'small.yaml': small(control(id)) }).join()).toContain('small.yaml:8 controls[0].id: must ');
  });

  it('is refused for __proto__ as a key', () => {
    expect(errorsOf({ 'small.yaml': `${small(control('a'))}__proto__:\n  id: x\n` })).toEqual([
      'small.yaml:1 file: unknown key __proto__',
    ]);
  });

  it.each(['_4.1', 'SP_800_171_03.01.01', 'a.', 'é', '統制-1', 'Ελ.2'])('may have the control id %s', (id) => {
    expect(load({ 'small.yaml': small(control(id)) }).find('small')!.controls[0]!.id).toBe(id);
  });

  it('is refused for a control id that is there twice', () => {
    expect(errorsOf({ 'small.yaml': small(control('a') + control('b') + control('a')) })).toEqual([
      'small.yaml:14 controls[2].id: is there twice',
    ]);
  });

  it('names what spreadsheets do where it may be why a control is there twice', () => {
    expect(errorsOf({ 'small.yaml': small(control('6.1') + control('6.1')) })).toEqual([
      'small.yaml:11 controls[1].id: is there twice (a spreadsheet turns 6.10 into 6.1: such ids must be columns of text)',
    ]);
  });

  it('may have as many controls as the limits say', () => {
    const { controls } = JSON.parse(readFileSync(join(shipped, 'workflow.schema.json'), 'utf8')).properties;
    expect(controls.maxItems).toBe(LIMITS.workflowImport.controls);
  });

  it('is refused for a parent that is unknown, comes later or is the control itself', () => {
    const text = small(
      control('a', '    parent: z\n') +
        control('b', '    parent: c\n') +
        control('c') +
        control('d', '    parent: d\n') +
        control('e', '    parent: c\n'),
    );
    expect(errorsOf({ 'small.yaml': text })).toEqual([
      'small.yaml:11 controls[0].parent: no control before this one has this id',
      'small.yaml:15 controls[1].parent: no control before this one has this id',
      'small.yaml:22 controls[3].parent: no control before this one has this id',
    ]);
  });

  it('is refused for a control that binds an entity which its heading does not bind', () => {
    const text = small(
      control('a', '    entities: [essential]\n') +
        control('b', '    parent: a\n') +
        control('c', '    parent: a\n    entities: [essential, important]\n') +
        control('d', '    parent: a\n    entities: [essential]\n'),
    );
    expect(errorsOf({ 'small.yaml': text })).toEqual([
      'small.yaml:12 controls[1].entities: must be among those of the heading',
      'small.yaml:20 controls[2].entities: must be among those of the heading',
    ]);
  });

  it('is refused for an alias, and for structure without end, before it costs anything', () => {
    expect(errorsOf({ 'small.yaml': 'id: &a x\nname: *a\n' }).join()).toContain('must not use aliases');
    for (const opening of ['[', '- ', '? ', 'a: [', 'a: ']) {
      expect(errorsOf({ 'small.yaml': opening.repeat(200_000) }).join()).toMatch(/is nested too deep/);
    }
    expect(errorsOf({ 'small.yaml': 'a: b\n'.repeat(200_000) }).join()).toContain('has more structure than');
  });

  it('is refused for a file that is not named after its id', () => {
    expect(errorsOf({ 'other.yaml': small(control('a')) })).toEqual([
      'other.yaml:1 id: is not what other.yaml is named',
    ]);
  });

  it('is refused for text that is no YAML, a key given twice and a second document', () => {
    expect(errorsOf({ 'small.yaml': 'id: [' }).join()).toMatch(/^small\.yaml:1 /);
    expect(errorsOf({ 'small.yaml': `${small(control('a'))}name: Again\n` }).join()).toMatch(
      /^small\.yaml:11 .*unique/,
    );
    expect(errorsOf({ 'small.yaml': `${small(control('a'))}---\nid: b\n` }).join()).toMatch(/^small\.yaml:\d+ /);
  });

  it('is refused for a YAML tag that nothing here understands', () => {
    expect(errorsOf({ 'small.yaml': small(control('!secret a')) }).join()).toMatch(/^small\.yaml:8 file: has a tag/);
  });

  it.each(['', 'just text', '- a list', 'null'])('is refused for a file that holds %j', (text) => {
    expect(errorsOf({ 'small.yaml': text })).toEqual(['small.yaml:1 file: must be object']);
  });

  it('reports the errors of all files and of all kinds at once', () => {
    const errors = errorsOf({
      'first.yaml': small(control('a') + control('a', '    hue: red\n')),
      'second.yaml': 'id: [',
      'third.yaml': small(control('a', '    parent: z\n')),
    });
    expect(errors.map((error) => error.replace(/:.*/, ''))).toEqual([
      ...['first.yaml', 'first.yaml', 'first.yaml', 'second.yaml', 'third.yaml', 'third.yaml'],
    ]);
  });

  it('is refused when there is no workflow at all', () => {
    expect(errorsOf({})).toEqual(['there is no *.yaml file']);
  });
});
