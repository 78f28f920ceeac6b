import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { leavesOf, WorkflowCatalog } from '../../src/services/workflows/catalog.js';
import type { CatalogControl } from '../../src/services/workflows/catalog-file.js';

const shipped = fileURLToPath(new URL('../../catalog', import.meta.url));
const catalog = WorkflowCatalog.load(shipped);

const controlsOf = (workflowId: string) => catalog.find(workflowId)!.controls;
const binds = (entity: 'important' | 'essential') => (control: CatalogControl) =>
  control.entities === null || control.entities.includes(entity);

it.each(['workflow', 'mappings/mapping', 'regimes/regime', 'regimes/national/country'])(
  'catalog/%s.schema.json is a valid JSON Schema',
  (name) => {
    const schema: object = JSON.parse(readFileSync(join(shipped, `${name}.schema.json`), 'utf8'));
    expect(new Ajv2020().validateSchema(schema)).toBe(true);
  },
);

describe('iso-27017-2015', () => {
  it('has the 37 controls that the standard has guidance for, and the seven that are its own', () => {
    const leaves = [...leavesOf(catalog.find('iso-27017-2015')!)];
    expect(leaves.filter((id) => /^\d+\.\d+\.\d+$/.test(id))).toHaveLength(37);
    expect(leaves.filter((id) => id.startsWith('CLD.'))).toEqual([
      'CLD.6.3.1',
      'CLD.8.1.5',
      'CLD.9.5.1',
      'CLD.9.5.2',
      'CLD.12.1.5',
      'CLD.12.4.5',
      'CLD.13.1.4',
    ]);
    expect(leaves).toHaveLength(44);
  });

  it('puts each where its number belongs', () => {
    for (const { id, parentId } of controlsOf('iso-27017-2015')) {
      const above = id.replace(/\.?[^.]+$/, '');
      const heading = /^CLD\.\d+$/.test(above) ? above.slice(4) : above;
      expect([id, parentId]).toEqual([id, heading === '' ? null : heading]);
    }
  });
});

describe('iso-27018-2019', () => {
  it('has the 25 controls of Annex A under their principles', () => {
    const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}.${i + 1}`);
    expect([...leavesOf(catalog.find('iso-27018-2019')!)]).toEqual([
      ...['A.2.1', 'A.3.1', 'A.3.2', 'A.5.1', 'A.6.1', 'A.6.2', 'A.8.1'],
      ...[...numbered('A.10', 3), ...numbered('A.11', 13), ...numbered('A.12', 2)],
    ]);
  });
});

describe('nis2-it-baseline', () => {
  const controls = controlsOf('nis2-it-baseline');
  const measures = controls.filter(({ id }) => /^[A-Z]{2}\.[A-Z]{2}-\d\d$/.test(id));
  const requirements = controls.filter(({ id }) => /^[A-Z]{2}\.[A-Z]{2}-\d\d\.\d$/.test(id));

  it('has 43 measures with 116 requirements for essential entities, 37 with 87 for important ones, as ACN counts', () => {
    expect([measures.length, requirements.length]).toEqual([43, 116]);
    expect([measures.every(binds('essential')), requirements.every(binds('essential'))]).toEqual([true, true]);
    expect(measures.filter(binds('important'))).toHaveLength(37);
    expect(requirements.filter(binds('important'))).toHaveLength(87);
  });

  it('has six measures for essential entities alone, and requires more of them in ten others', () => {
    const only = measures.filter((control) => !binds('important')(control)).map(({ id }) => id);
    expect(only).toEqual(['ID.AM-03', 'PR.AT-02', 'PR.PS-01', 'PR.PS-03', 'PR.IR-03', 'RC.CO-03']);
    const more = requirements.filter((control) => !binds('important')(control)).map(({ parentId }) => parentId!);
    expect([...new Set(more)].filter((id) => !only.includes(id))).toEqual([
      ...['GV.RR-04', 'GV.PO-02', 'GV.SC-01', 'ID.RA-01', 'ID.RA-05', 'ID.RA-08', 'ID.IM-01'],
      ...['PR.DS-11', 'PR.PS-02', 'DE.CM-01'],
    ]);
  });

  it('hangs each requirement below its measure, category and function', () => {
    for (const { id, parentId } of controls) {
      const above = id.replace(/(?:^|[.-])[^.-]+$/, '');
      expect([id, parentId]).toEqual([id, above === '' ? null : above]);
    }
  });

  it('numbers the requirements of a measure through', () => {
    for (const { id } of measures) {
      const own = requirements.filter(({ parentId }) => parentId === id).map((one) => one.id);
      expect(own).toEqual(own.map((_, index) => `${id}.${index + 1}`));
      expect(own.length).toBeGreaterThan(0);
    }
  });
});

describe('nist-csf-2-0', () => {
  const controls = controlsOf('nist-csf-2-0');
  const functions = ['GV', 'ID', 'PR', 'DE', 'RS', 'RC'];
  const below = (prefix: string) => controls.filter(({ id }) => id.startsWith(`${prefix}.`) && id.includes('-')).length;

  it('has the 6 functions, 22 categories and 106 subcategories that NIST counts', () => {
    expect(controls.filter(({ parentId }) => parentId === null).map(({ id }) => id)).toEqual(functions);
    expect(controls.filter(({ id }) => /^[A-Z]{2}\.[A-Z]{2}$/.test(id))).toHaveLength(22);
    expect(functions.map(below)).toEqual([31, 21, 22, 11, 13, 8]);
    expect(leavesOf(catalog.find('nist-csf-2-0')!).size).toBe(106);
  });

  it('hangs each subcategory below its category, and each category below its function', () => {
    for (const { id, parentId } of controls) {
      const above = id.replace(/(?:^|[.-])[^.-]+$/, '');
      expect([id, parentId]).toEqual([id, above === '' ? null : above]);
    }
  });
});

describe('nis2-regulation-2024-2690', () => {
  it('has the 13 points of the Annex and their 53 parts, in order', () => {
    const controls = controlsOf('nis2-regulation-2024-2690');
    const points = controls.filter(({ parentId }) => parentId === null);
    const parts = points.map(({ id }) => controls.filter(({ parentId }) => parentId === id).map((one) => one.id));
    expect(parts.map(({ length }) => length)).toEqual([2, 3, 6, 3, 2, 10, 3, 2, 3, 4, 7, 5, 3]);
    expect(parts).toEqual(points.map(({ id }, index) => parts[index]!.map((_one, place) => `${id}.${place + 1}`)));
  });
});

describe('iso-27701-2025', () => {
  it('has 31 controls for controllers, 18 for processors and 29 for both', () => {
    const leaves = [...leavesOf(catalog.find('iso-27701-2025')!)];
    const below = (prefix: string) => leaves.filter((id) => id.startsWith(prefix)).length;
    const groups = ['A.1.2', 'A.1.3', 'A.1.4', 'A.1.5', 'A.2.2', 'A.2.3', 'A.2.4', 'A.2.5', 'A.3'];
    expect(groups.map((group) => below(`${group}.`))).toEqual([8, 10, 9, 4, 6, 1, 3, 8, 29]);
    expect(leaves).toHaveLength(78);
  });
});

describe('soc-2-2017', () => {
  it('has the 61 criteria of five categories', () => {
    const leaves = [...leavesOf(catalog.find('soc-2-2017')!)];
    const of = (category: RegExp) => leaves.filter((id) => category.test(id)).length;
    expect([/^CC\d/, /^A\d/, /^C\d/, /^PI\d/, /^P\d/].map(of)).toEqual([33, 3, 2, 5, 18]);
    expect(leaves).toHaveLength(61);
  });
});

describe('pci-dss-4-0-1', () => {
  const controls = controlsOf('pci-dss-4-0-1');

  it('has twelve requirements with 63 sections, and all that is numbered below them', () => {
    const levels = (count: number) => controls.filter(({ id }) => id.split('.').length === count).length;
    expect(levels(1)).toBe(12);
    expect(levels(2)).toBe(63);
    expect(leavesOf(catalog.find('pci-dss-4-0-1')!).size).toBe(250);
  });

  it('puts each below the section that its number names, and each section below its requirement', () => {
    for (const { id, parentId } of controls) {
      const numbers = id.split('.');
      expect([id, parentId]).toEqual([id, numbers.slice(0, Math.min(2, numbers.length - 1)).join('.') || null]);
    }
  });
});

describe('eu-ai-act', () => {
  it('has the eight prohibited practices, and the requirements of Articles 8 to 15', () => {
    const below = (parent: string) =>
      controlsOf('eu-ai-act').flatMap(({ id, parentId }) => (parentId === parent ? [id] : []));
    expect(below('II')).toEqual([...'abcdefgh'].map((letter) => `5.1.${letter}`));
    expect(below('III.2')).toEqual(['8', '9', '10', '11', '12', '13', '14', '15']);
  });
});

describe('the mappings', () => {
  const of = (workflowId: string, controlId: string) =>
    catalog.mappings.of({ workflowId, controlId }).map((match) => `${match.workflowId}/${match.controlId}`);

  it('map each measure of NIS 2 to what requires the same in ISO 27001, in both directions', () => {
    for (const letter of 'abcdefghij') expect(of('nis2-directive', `21.2.${letter}`)).not.toEqual([]);
    const iso = of('nis2-directive', '21.2.j').filter((match) => match.startsWith('iso-'));
    expect(iso).toEqual(['iso-27001-2022/A.5.17', 'iso-27001-2022/A.8.5']);
    expect(of('nis2-it-baseline', 'PR.DS-11')).toEqual([
      ...['nis2-directive/21.2.c', 'iso-27001-2022/A.8.13', 'nist-csf-2-0/PR.DS-11'],
    ]);
    const requirements = [1, 2, 3, 4, 5].map((number) => `nis2-it-baseline/PR.DS-11.${number}`);
    expect(of('iso-27001-2022', 'A.8.13')).toEqual([
      ...['iso-27017-2015/12.3.1', 'iso-27018-2019/A.11.3', 'iso-27701-2025/A.3.24', 'nis2-directive/21.2.c'],
      ...['nis2-it-baseline/PR.DS-11', 'nis2-regulation-2024-2690/4.2'],
      ...['PR.DS-11', 'RC.RP-03', 'RC.RP-06'].map((id) => `nist-csf-2-0/${id}`),
      ...['soc-2-2017/A1.2', 'soc-2-2017/A1.3'],
      ...requirements,
    ]);
  });

  it('map every measure of the Italian baseline, to the directive as well', () => {
    const controls = controlsOf('nis2-it-baseline');
    const measures = controls.filter(({ id }) => /-\d\d$/.test(id));
    const mappedTo = (id: string, workflow: string) =>
      of('nis2-it-baseline', id).some((match) => match.startsWith(`${workflow}/`));
    for (const workflow of ['iso-27001-2022', 'nist-csf-2-0'])
      expect(measures.filter(({ id }) => !mappedTo(id, workflow))).toEqual([]);
    const reachesDirective = (id: string) =>
      [id, ...controls.filter(({ parentId }) => parentId === id).map((one) => one.id)].some((one) =>
        mappedTo(one, 'nis2-directive'),
      );
    expect(measures.filter(({ id }) => !reachesDirective(id))).toEqual([]);
  });

  it('map each control of ISO 27017 that extends a general one', () => {
    const extending = [...leavesOf(catalog.find('iso-27017-2015')!)].filter((id) => !id.startsWith('CLD'));
    expect(extending).toHaveLength(37);
    expect(extending.filter((id) => of('iso-27017-2015', id).length !== 1)).toEqual([]);
    expect(of('iso-27017-2015', '16.1.2')).toEqual(['iso-27001-2022/A.6.8']);
  });

  it('map every subcategory of CSF 2.0 to ISO 27001, as NIST does, and every part of the Annex as ENISA does', () => {
    const unmapped = (from: string, to: string) =>
      [...leavesOf(catalog.find(from)!)].filter((id) => !of(from, id).some((match) => match.startsWith(`${to}/`)));
    expect(unmapped('nist-csf-2-0', 'iso-27001-2022')).toEqual([]);
    expect(unmapped('nis2-regulation-2024-2690', 'iso-27001-2022')).toEqual([]);
    expect(unmapped('nis2-regulation-2024-2690', 'nist-csf-2-0')).toEqual(['11.4', '12.5']);
  });

  it('map each part of the Annex of Regulation 2024/2690 to the directive', () => {
    const parts = [...leavesOf(catalog.find('nis2-regulation-2024-2690')!)];
    expect(parts.filter((id) => of('nis2-regulation-2024-2690', id).length === 0)).toEqual([]);
    expect(of('nis2-regulation-2024-2690', '11.7')).toEqual([
      ...['iso-27001-2022/A.8.5', 'nis2-directive/21.2.j', 'nist-csf-2-0/PR.AA-03', 'nis2-directive/21.2.i'],
    ]);
  });

  it('never lead through a third control', () => {
    expect(of('nis2-directive', '21.2.c').some((match) => match.startsWith('iso-27017-2015'))).toBe(false);
  });

  it.each(['__proto__', 'constructor', ''])('know nothing of %j', (id) => {
    expect(of(id, id)).toEqual([]);
  });

  it('credit their authors', () => {
    for (const name of readdirSync(join(shipped, 'mappings')).filter((file) => file.endsWith('.yaml'))) {
      const { source, licence } = parse(readFileSync(join(shipped, 'mappings', name), 'utf8'));
      expect(source.text).toMatch(/ENISA|NIST|our own/i);
      expect(licence).toMatch(/CC BY|Creative Commons Attribution 4\.0|public domain|our own work/);
    }
  });
});

describe('a faulty mapping', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'mappings-'));
    cpSync(shipped, directory, { recursive: true });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function errorsOf(text: string): string[] {
    const path = join(directory, 'mappings', 'small.yaml');
    writeFileSync(path, text);
    try {
      WorkflowCatalog.load(directory);
    } catch (error) {
      return (error as Error).message.split('\n  ').slice(1);
    } finally {
      rmSync(path);
    }
    return [];
  }

  const small = (from: string, to: string, pairs: string) =>
    `id: small\nfrom: ${from}\nto: ${to}\nsource:\n  text: Ours\nlicence: Ours\npairs:\n${pairs}`;
  const pair = (control: string, match: string) => `  - control: ${control}\n    matches: ['${match}']\n`;

  it('is not what a correct one is', () => {
    expect(errorsOf(small('nis2-directive', 'iso-27001-2022', pair('21.2.a', 'A.5.1')))).toEqual([]);
  });

  it('is refused for a workflow or control that does not exist, one mapped twice, and a mapping onto itself', () => {
    expect(
      errorsOf(
        small('nis2-directive', 'iso-27001-2022', pair('21.2.z', 'A.9.1') + pair('23', '5.1') + pair('23', '5.2')),
      ),
    ).toEqual([
      'small.yaml:8 pairs[0].control: is no control of nis2-directive',
      'small.yaml:9 pairs[0].matches[0]: is no control of iso-27001-2022',
      'small.yaml:12 pairs[2].control: is there twice',
    ]);
    expect(errorsOf(small('nis2-directive', 'nis2-directive', pair('23', '23')))).toEqual([
      'small.yaml:3 to: is no other workflow of the catalogue',
    ]);
    expect(errorsOf(small('nobody', 'iso-27001-2022', pair('23', '5.1')))).toEqual([
      'small.yaml:2 from: is no workflow of the catalogue',
    ]);
  });

  it('is refused by name for more pairs than 20,000', () => {
    const matches = controlsOf('iso-27001-2022').map(({ id }) => id);
    const all = controlsOf('nis2-it-baseline').map(
      ({ id }) => `  - control: ${id}\n    matches: ['${matches.join("','")}']\n`,
    );
    expect(errorsOf(small('nis2-it-baseline', 'iso-27001-2022', all.join('')))).toEqual([
      'small.yaml pairs: exceed 20000 pairs of controls, inherited ones and those of other mappings included',
    ]);
  });

  it('is refused for a missing or an unknown key', () => {
    expect(errorsOf('id: small\nhue: red\n')).toContain('small.yaml:1 file: unknown key hue');
  });
});
