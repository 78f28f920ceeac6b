export const BRANDING_FRAGMENTS = /* GraphQL */ `
  fragment Branding on Branding {
    palette
    custom_colors: customColors {
      primary
      primary_hover: primaryHover
      primary_dark: primaryDark
    }
  }
`;
