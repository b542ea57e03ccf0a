/** Texts of two themes, each in three languages, and some that are of none. */

export const INVOICES = [
  'The invoice shows the wrong address of our company.',
  'Our company address on the invoice is wrong.',
  'Die Adresse unserer Firma auf der Rechnung ist falsch.',
  "L'adresse de notre société sur la facture est fausse.",
]
export const PASSWORDS = [
  'I cannot reset my password, the link has expired.',
  'The link to reset the password has expired.',
  'Der Link zum Zurücksetzen des Passworts ist abgelaufen.',
  'Le lien pour réinitialiser le mot de passe a expiré.',
]
export const OTHERS = [
  'Please add a dark mode.',
  'The map of the warehouse loads slowly on Mondays.',
  'Can drivers choose a larger font for the packing list?',
  'Photos that we upload are turned sideways.',
]
