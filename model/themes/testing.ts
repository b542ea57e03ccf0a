/** Texts of two themes, each in three languages, and some of none. */

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

/** Needs in mails of one template: each twice, in other words. */
export const NEEDS_SAID_TWICE = [
  ['The export of the ledger stops after four hundred rows.', 'Only the first 400 lines of our ledger are exported.'],
  ['Drivers cannot read the small font on the packing list.', 'The letters on packing lists are too tiny for drivers.'],
  ['Nobody can sign in on the tablet of the warehouse.', 'Login on the warehouse tablet fails for everyone.'],
  ['Photos of damaged goods are turned sideways.', 'Pictures of damage that we upload come out rotated.'],
  ['The map shows our depot in the wrong town.', 'Our depot stands in another city on the map.'],
  ['Reminders are sent although the invoice was paid.', 'Customers who have paid still get payment reminders.'],
  ['The weekly report arrives without its attachment.', 'There is no file attached to the report of the week.'],
  ['Scanning a barcode twice books the pallet twice.', 'A pallet is counted double when its code is scanned again.'],
  ['The calendar ignores the public holidays of Austria.', 'Austrian bank holidays are missing from the calendar.'],
  ['Prices are shown without value added tax.', 'VAT is left out of the prices on screen.'],
] as const

/** A need inside of a mail with a common beginning and end. */
export const mailOf = (need: string, at: number): string =>
  `Dear support team,
Please find attached the message from our customer portal, which was recorded by the service desk this week.
The person who wrote it agreed that we pass it on to you, and would be glad to hear from one of your colleagues.
Our contract names you as the maker of the software, so we ask you to look into the matter at your convenience.
Ticket: ${4000 + at}
Message: ${need}
Kind regards,
Northwind Customer Care
This message is confidential and meant for the addressee alone.`
