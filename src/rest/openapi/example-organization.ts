/** The organization of all examples, as others embed it (specification 2.5). */
export const exampleOrganization = {
  id: 1,
  name: 'Rossi Energia S.p.A.',
  logo: 'https://www.rossi-energia.example/logo.png',
};
