import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PersonalDataKind } from './detectors/detector.ts'
import { findPersonalData, redact } from './redact.ts'

/** How a number is written in a country, with its digits chosen by `digitsFrom`: `#` any, `N` two to nine. */
const PHONES = [
  ...['+1-NNN-NNN-####', '+1 (NNN) NNN-####', '001-NNN-NNN-####', '(NNN) NNN-####', 'NNN-NNN-####'],
  ...['+44 20 7946 0###', '020 7946 0###', '+49 30 23125###', '030/23125###', '+33 6 12 34 5# ##', '06 12 34 5# ##'],
  ...['+34 612 34 5# ##', '+39 312 345 6###', '+31 6 1234 5###', '+48 512 345 6##', '+351 912 345 6##'],
]
const EXTENSIONS = [
  'x###',
  ' x###',
  ' ext. ##',
  ' ext ####',
  ', ext. ###',
  ' extension ##',
  ';ext=###',
  '#####x##'.slice(5),
]

/** A label before a number, in eight languages and signs of machines. */
const LABELS = [
  ...['Phone: ', 'Tel. ', 'Mobile - ', 'Fax: ', 'Desk: ', 'T: ', '"phone": "', 'phone=', 'call me on ', 'text us at '],
  ...['Telefon: ', 'Rückruf unter ', 'Tél. : ', 'appelez-moi au ', 'Teléfono: ', 'llámame al ', 'Telefono: '],
  ...['Telefoon: ', 'bel me op ', 'tel. kom. ', 'Telefone: ', 'ligue para '],
]
const LABEL_LINES = [
  ...['Phone:', 'Phone', 'Mobile number:', '> Fax:', '* Tel', 'Telefon:', 'Mobil', 'Téléphone :', 'Portable'],
  ...[
    'Teléfono:',
    'Móvil',
    'Telefono:',
    'Cellulare',
    'Telefoonnummer:',
    'Mobiel',
    'Telefon kom.:',
    'Telemóvel:',
    'Celular',
  ],
]
const LABELS_BEHIND = [
  ...[' (office)', '-Fax', ' - mobile', ' (cell)', ' (home)', ' (Büro)', ' (privat)', ' (bureau)', ' (portable)'],
  ...[' (oficina)', ' (móvil)', ' (ufficio)', ' (kantoor)', ' (praca)', ' (trabalho)'],
]
/** Numbers that only a label tells. */
const SHORT = ['9469 9966', '450 0840', '4500840', '555-0123', '22 33 44 55', '613 45 67']
const SHORT_CALLS = ['call me on ', 'ring us at ', 'my number is ', 'appelez-moi au ', 'bel me op ', 'llámame al ']

/** What only looks like a phone number, wherever it stands. */
const LOOK_ALIKES = [
  ...[
    'order 604-696-5272',
    'Order number:\n604-696-5272',
    'invoice\n4155552671',
    'ticket #4155552671',
    'SKU 604-696-5272',
  ],
  ...['Bestellung 030/2312540', 'commande 06 12 34 56 78', 'pedido 612345678', 'zamówienie 512345678'],
  ...['tracking 604 696 5272', 'DHL 0197615394', 'FedEx 7712 3456 7890', 'IMEI 464447838670402', 'user_id: 4155552671'],
  ...['3840x2160', '1920 x 1080', '10.0.19045.3803', 'version 604.696.5272', 'CriOS/54.0.893.0 Mobile/15E148'],
  ...['2025-2026 (office)', '2024-01-15 10:30', '20240115', '1.234.567,89', '1 234 567 home', '12345678 mobile'],
  ...[
    '/T/113310-43602-1m1t2o-app',
    '48 8b 05 00 00 00 00',
    'call 1200 times',
    'called on 2000 users',
    '604-696-5272abc',
  ],
  ...['52.520008, 13.404954', '00340434161094042557', '0x80070005', 'ISBN 978-3-16-148410-0', '113-4500840-12'],
]

const kindsIn = (text: string) => findPersonalData(text).map(({ kind }) => kind)

/** A sequence of digits that is the same in each run (Numerical Recipes' generator). */
const digitsFrom = (seed: number): ((pattern: string) => string) => {
  let state = seed
  const next = (size: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * size)
  }
  return pattern => pattern.replace(/[#N]/g, sign => String(sign === 'N' ? 2 + next(8) : next(10)))
}
const filled = digitsFrom(18)

/** The number goes as a whole, nothing else does, and there is nothing left for a second time. */
const assertOnly = (before: string, value: string, after: string, kind: PersonalDataKind): void => {
  const expected = `${before}[${kind}]${after}`
  const once = redact(before + value + after, new Map())
  assert.equal(once, expected)
  assert.equal(redact(once, new Map()), once)
}

test('a phone number goes with its extension, whatever stands around it', () => {
  for (const pattern of PHONES) {
    for (const extension of ['', ...EXTENSIONS]) {
      const number = filled(pattern) + filled(extension)
      for (const [before, after] of [
        ['', ''],
        ['Hi, ', ' please'],
        ['(', ')'],
        ['a;', ';b'],
        ['x\n', '\ny'],
      ] as const) {
        assertOnly(before, number, after, 'PHONE')
      }
    }
  }
})

test('a label before, on the line before or behind a number leaves nothing of it', () => {
  for (const pattern of PHONES) {
    for (const label of LABELS) assertOnly(label, filled(pattern), '', 'PHONE')
    for (const label of LABEL_LINES) {
      for (const lineEnd of ['\n', '\r\n', '\n\n'])
        assertOnly(`Hi\n${label}${lineEnd}`, filled(pattern), '\nBye', 'PHONE')
    }
    for (const label of LABELS_BEHIND) assertOnly('Ann\n', filled(pattern), `${label}\nBye`, 'PHONE')
  }
})

test('a number of seven or eight digits needs a label or somebody who asks to call it', () => {
  for (const number of SHORT) {
    for (const label of [...LABEL_LINES.map(line => `${line}\n`), ...SHORT_CALLS])
      assertOnly(label, number, '', 'PHONE')
    for (const thing of ['', 'It shows ', 'in row ', 'we have ', 'error '])
      assert.deepEqual(kindsIn(thing + number), [])
  }
})

test('what only looks like a phone number stays, also beside one', () => {
  for (const thing of LOOK_ALIKES) {
    for (const [before, after] of [
      ['', ''],
      ['It says ', ' again'],
      ['\n', '\n'],
    ] as const) {
      assert.deepEqual(kindsIn(before + thing + after), [], before + thing + after)
    }
    assertOnly('Call ', '+1-604-696-5272x565', ` about it.\n\n${thing}`, 'PHONE')
  }
})

test('two side by side leave nothing for a second time, whatever is between them', () => {
  const values = [
    ...['604-696-5272x565', '+33 6 12 34 56 78', '020 7946 0123', '4111 1111 1111 1111', '536-90-4399', '203.0.113.7'],
    ...['DE89370400440532013000', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'a@example.org', '450 0840', '61518188(6'],
  ]
  for (const one of values) {
    for (const other of values) {
      for (const between of [' ', '', '+', '-', '.', ',', ', call me on ', '/', '\t', ' Phone:\n', 'x']) {
        const once = redact(`t ${one}${between}${other} end`, new Map())
        assert.equal(redact(once, new Map()), once)
      }
    }
  }
})
