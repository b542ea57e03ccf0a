import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MAPPED_SIGNAL_FIELDS } from '../../../schemas/http/connection.ts'
import { FACT_FIELDS, type FactField, MAPPED_FIELDS } from '../../../schemas/transfers/columns.ts'
import { createTranscoder } from '../records/encodings.ts'
import { formatOf } from '../records/formats.ts'
import { FACT_NAMES } from './column-names.ts'
import { previewSignals, type SignalsPreview } from './preview.ts'
import { recognizeCsv } from './recognize.ts'

const recognize = (text: string) => recognizeCsv(Buffer.from(text))
const fieldsOf = async (text: string) =>
  Object.fromEntries((await recognize(text)).mapping.map(({ field, column }) => [field, column]))

describe('A CSV file is recognized', () => {
  it('by the fields that the mapping of a connection finds, since the app has one list for both', () => {
    assert.deepEqual(MAPPED_FIELDS.toSorted(), MAPPED_SIGNAL_FIELDS.toSorted())
  })

  it('by the delimiter that all its records agree on', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      const lines = [
        ['text', 'date'],
        ['It hangs, often; very', '2026-01-01'],
        ['It | stops', '2026-01-02'],
      ]
      const text = lines.map(fields => fields.map(field => `"${field}"`).join(delimiter)).join('\n')
      assert.equal((await recognize(text)).delimiter, delimiter)
    }
    assert.equal(
      (await recognize('text;date\nIt hangs, often, and stops;2026-01-01\nOh, dear;2026-01-02')).delimiter,
      ';',
    )
  })

  it('by the sign that its first line says, which is no record', async () => {
    const preview = await previewOf(
      Buffer.from('sep=;\r\ntext;created at\r\nIt hangs, often, and stops;2026-01-01\r\n'),
    )
    assert.deepEqual([preview.reading?.delimiter, preview.reading?.header], [';', true])
    assert.deepEqual(signalsOf(preview), [{ text: 'It hangs, often, and stops', occurred_at: '2026-01-01' }])
    assert.deepEqual(
      preview.records.map(({ line }) => line),
      [3],
    )
  })

  it('by the names of its columns, the contract’s own first', async () => {
    assert.deepEqual(await fieldsOf('Comment,Text,Created At,E-Mail,origin\nc,t,2026-01-01,a@example.com,internal\n'), {
      text: 1,
      occurred_at: 2,
      actor_email: 3,
      signal_origin: 4,
    })
    assert.deepEqual(await fieldsOf('Feedback;URL;Customer\nIt hangs;https://example.com;Ana\n'), {
      text: 0,
      source_url: 1,
      actor_name: 2,
    })
  })

  it('by the column that names its rows: a name that every row has, and each has one of its own', async () => {
    const rows = (ids: readonly string[], name: string) =>
      `${name},Feedback\n${ids.map((id, at) => `${id},The export number ${at} hangs.`).join('\n')}\n`
    for (const name of ['Ticket id', 'id', 'Issue key', 'Ticket number'])
      assert.equal((await fieldsOf(rows(['A-1', 'A-2', 'A-3'], name))).row_id, 0, name)
    assert.equal((await fieldsOf(rows(['A-1', 'A-1', 'A-3'], 'Ticket id'))).row_id, undefined, 'two rows of one name')
    assert.equal((await fieldsOf(rows(['A-1', '', 'A-3'], 'Ticket id'))).row_id, undefined, 'a row without one')
  })

  it('with who wrote a ticket, and with what stands below a title, whatever comments are there', async () => {
    assert.deepEqual(
      await fieldsOf('Ticket,Requester Name,Requester email,Created time\nIt hangs here,Ana,a@x.example,2026-01-01\n'),
      { occurred_at: 3, actor_name: 1, actor_email: 2 },
    )
    assert.deepEqual(
      (await recognize('comments,short_description,description,opened_at\nok,It hangs,On export,2026-01-01\n')).mapping,
      [
        { field: 'text', column: 1 },
        { field: 'text', column: 2 },
        { field: 'occurred_at', column: 3 },
      ],
    )
  })

  it('with the addresses of its writers, whatever their column is called', async () => {
    const file = (...writers: readonly string[]) =>
      `Customer,Message\n${writers.map(writer => `${writer},It hangs here\n`).join('')}`
    assert.deepEqual(await fieldsOf(file('ana@x.example', '', 'bo@y.example')), { text: 1, actor_email: 0 })
    assert.deepEqual(await fieldsOf(file('ana@x.example', 'Bo')), { text: 1, actor_name: 0 })
    assert.deepEqual(await fieldsOf('Customer,E-mail,Message\na@x.example,a@x.example,It hangs\n'), {
      text: 2,
      actor_name: 0,
      actor_email: 1,
    })
  })

  it('with a name that is what a task is called, where tasks are listed', async () => {
    assert.deepEqual((await recognize('Name,Assignee,Notes\nSlow export,Ana,It takes minutes\n')).mapping, [
      { field: 'text', column: 0 },
      { field: 'text', column: 2 },
    ])
    assert.deepEqual(await fieldsOf('Name,Notes\nAna,It takes minutes\n'), { text: 1, actor_name: 0 })
  })

  it('by what is known of the customer, and the line above a message, in twenty languages', async () => {
    const names = (field: FactField) => FACT_NAMES[field]
    const headers: readonly (readonly [string, string, string, string, string, string])[] = [
      ['Subject', 'Company', 'Plan', 'MRR', 'Tags', 'Language'],
      ['Betreff', 'Firma', 'Tarif', 'Umsatz', 'Schlagwörter', 'Sprache'],
      ['Objet', 'Entreprise', 'Forfait', "Chiffre d'affaires", 'Étiquettes', 'Langue'],
      ['Asunto', 'Empresa', 'Suscripción', 'Ingresos', 'Etiquetas', 'Idioma'],
      ['Assunto', 'Empresa', 'Plano', 'Receita', 'Marcadores', 'Idioma'],
      ['Oggetto', 'Azienda', 'Abbonamento', 'Ricavi', 'Etichette', 'Lingua'],
      ['Onderwerp', 'Bedrijf', 'Abonnement', 'Omzet', 'Trefwoorden', 'Taal'],
      ['Temat', 'Firma', 'Pakiet', 'Przychód', 'Etykiety', 'Język'],
      ['Předmět', 'Společnost', 'Tarif', 'Tržby', 'Štítky', 'Jazyk'],
      ['Ämne', 'Företag', 'Abonnemang', 'Omsättning', 'Taggar', 'Språk'],
      ['Emne', 'Virksomhed', 'Abonnement', 'Omsætning', 'Mærker', 'Sprog'],
      ['Emne', 'Bedrift', 'Abonnement', 'Omsetning', 'Etiketter', 'Språk'],
      ['Aihe', 'Yritys', 'Tilaus', 'Liikevaihto', 'Tunnisteet', 'Kieli'],
      ['Tárgy', 'Cég', 'Előfizetés', 'Árbevétel', 'Címkék', 'Nyelv'],
      ['Subiect', 'Companie', 'Abonament', 'Venituri', 'Etichete', 'Limbă'],
      ['Konu', 'Şirket', 'Abonelik', 'Gelir', 'Etiketler', 'Dil'],
      ['Тема', 'Компания', 'Тариф', 'Выручка', 'Теги', 'Язык'],
      ['Тема', 'Компанія', 'Тариф', 'Дохід', 'Мітки', 'Мова'],
      ['Θέμα', 'Εταιρεία', 'Συνδρομή', 'Έσοδα', 'Ετικέτες', 'Γλώσσα'],
      ['件名', '会社名', 'プラン', '売上', 'タグ', '言語'],
      ['제목', '회사', '요금제', '매출', '태그', '언어'],
      ['主题', '公司', '套餐', '收入', '标签', '语言'],
    ]
    for (const header of headers) {
      const file = `${['Message', ...header].join(';')}\nPlease let us print labels;Printing;Lark;Team;120;print;de\n`
      const { mapping } = await recognize(file)
      assert.deepEqual(
        mapping.map(({ field, column }) => [field, column]),
        [['text', 1], ['text', 0], ...FACT_FIELDS.map((field, at) => [field, at + 2])],
        header.join(),
      )
      const preview = await previewOf(Buffer.from(file))
      const metadata = { company: 'Lark', plan: 'Team', revenue: '120', tags: 'print', language: 'de' }
      assert.deepEqual(signalsOf(preview), [{ text: 'Printing\n\nPlease let us print labels', metadata }])
    }
    for (const field of FACT_FIELDS) assert.equal(new Set(names(field)).size, names(field).length, field)
  })

  it('by the number, the text and the date of a ticket, as desks of other languages call them', async () => {
    for (const [id, text, date] of [
      ['Ticket-Nr.', 'Nachricht', 'Angelegt am'],
      ['Numéro de ticket', 'Commentaire', 'Date de création'],
      ['Número de ticket', 'Mensaje', 'Fecha de creación'],
      ['Numero ticket', 'Messaggio', 'Creato il'],
      ['Nr zgłoszenia', 'Wiadomość', 'Data utworzenia'],
      ['Номер заявки', 'Сообщение', 'Дата создания'],
      ['番号', 'メッセージ', '作成日'],
    ])
      assert.deepEqual(
        await fieldsOf(`${id};${date};${text}\nRW-1;2026-10-01;It hangs often\nRW-2;2026-10-02;It is slow\n`),
        { row_id: 0, occurred_at: 1, text: 2 },
        id,
      )
  })

  it('with a header whose names nobody knows, and without one', async () => {
    assert.deepEqual(await recognize('Was,Wann\nEs hängt,2026-01-01\n'), {
      delimiter: ',',
      header: true,
      mapping: [],
      keep_other_columns: true,
    })
    assert.equal((await recognize('It hangs,2026-01-01\nIt stops,2026-01-02\n')).header, false)
  })

  it('when it is a list of texts', async () => {
    const { header, mapping } = await recognize('It hangs\nIt stops\n')
    assert.deepEqual([header, mapping], [false, [{ field: 'text', column: 0 }]])
  })
})

const NOW = Date.UTC(2026, 10, 29)
const EXPORTS = join(import.meta.dirname, 'exports')

const previewOf = (file: Buffer): Promise<SignalsPreview> => {
  const transcoder = createTranscoder()
  const bytes = Buffer.concat([transcoder.add(file), transcoder.end()])
  return previewSignals({ format: formatOf(bytes), bytes, reading: null, remembered: [], now: NOW })
}

const signalsOf = ({ records }: SignalsPreview) =>
  records.flatMap(({ reading }) => (reading.kind === 'signal' ? [reading.body] : []))

/** The same idea, as Canny writes it in either form. */
const CANNY = {
  tool: 'Canny',
  first: {
    text: 'Calendar view\n\nLet us see due dates in a month, please.',
    source: 'Canny',
    source_url: 'https://larch.canny.example/p/calendar-view',
    occurred_at: '2026-02-03T10:15:00.000Z',
    actor_name: 'Chidi Anand',
    actor_email: 'chidi@larch.example',
  },
  times: ['2026-02-03T10:15:00.000Z', '2026-02-04T08:00:00.000Z'],
}

describe('A file of JSON that is an answer of a programming interface', () => {
  it('has its records wherever its objects have an array of them', async () => {
    const answer = {
      data: { reviews: { nodes: [{ body: 'It hangs.', labels: [{ name: 'bug' }] }, { body: 'It stops.' }] } },
    }
    const texts = signalsOf(await previewOf(Buffer.from(JSON.stringify(answer)))).map(({ text }) => text)
    assert.deepEqual(texts, ['It hangs.', 'It stops.'])
  })
})

describe('A value of JSON under an empty name', () => {
  it('is a column like any other, and the last one is the last', async () => {
    const { columns, records } = await previewOf(
      Buffer.from('[{"":"north","text":"It hangs."},{"":"south","text":"It stops."}]'),
    )
    assert.deepEqual(columns, [
      { name: 'Column 1', example: 'north' },
      { name: 'text', example: 'It hangs.' },
    ])
    assert.deepEqual(
      records.map(({ reading }) => reading.kind === 'signal' && reading.body),
      [
        { text: 'It hangs.', metadata: { 'column 1': 'north' } },
        { text: 'It stops.', metadata: { 'column 1': 'south' } },
        false,
      ],
    )
  })
})

/** What comes of the first record of each file, without anybody's hand, and when the second happened. */
const EXPECTED = {
  'airtable.csv': {
    tool: null,
    first: {
      text: 'The price list should open as a table.',
      occurred_at: '2026-09-30T17:20:00Z',
      actor_name: 'Sol Vega',
      actor_email: 'sol@aspen.example',
    },
    times: ['2026-09-30T17:20:00.000Z', '2026-10-02T09:41:00.000Z'],
  },
  'airtable.json': {
    tool: 'Airtable',
    first: {
      text: 'The price list should open as a table.',
      source: 'Airtable',
      occurred_at: '2026-09-30T17:20:00.000Z',
      actor_name: 'Sol Vega',
      actor_email: 'sol@aspen.example',
      metadata: { 'fields.Tags': ['prices', 'table'] },
    },
    times: ['2026-09-30T17:20:00.000Z', '2026-10-02T09:41:00.000Z'],
  },
  'app-store-connect.csv': {
    tool: 'App Store Connect',
    first: {
      text: 'Crashes on start\n\nSince the last update it closes at once.',
      source: 'App Store Connect',
      occurred_at: '2026-06-01T22:13:05-07:00',
      actor_name: 'olive77',
    },
    times: ['2026-06-02T05:13:05.000Z', '2026-06-02T10:00:00.000Z'],
  },
  'app-store-connect.json': {
    tool: 'App Store Connect',
    first: {
      text: 'Crashes on start\n\nSince the last update it closes at once.',
      source: 'App Store Connect',
      occurred_at: '2026-06-01T22:13:05-07:00',
      actor_name: 'olive77',
    },
    times: ['2026-06-02T05:13:05.000Z', '2026-06-02T10:00:00.000Z'],
  },
  'canny.csv': CANNY,
  'canny.json': CANNY,
  'github.json': {
    tool: 'GitHub',
    first: {
      text: 'Renaming in two tabs loses the file\n\n### Steps\n\n1. Open two tabs\n2. Rename the file in one [of them]',
      source: 'GitHub',
      source_url: 'https://github.example/hazel/app/issues/118',
      occurred_at: '2026-07-01T06:00:00Z',
      actor_name: 'quinn-r',
      metadata: { labels: [{ id: 'L_1', name: 'bug', description: '', color: 'd73a4a' }] },
    },
    times: ['2026-07-01T06:00:00.000Z', '2026-07-02T07:30:00.000Z'],
  },
  'google-forms.csv': {
    tool: 'Google Forms',
    first: {
      text: 'A way to share a list with my family.\n\nI would move the search to the top of the page.',
      source: 'Google Forms',
      occurred_at: '2024-03-12T09:41:23+01:00',
      actor_email: 'mia@rowan.example',
    },
    times: ['2024-03-12T08:41:23.000Z', '2024-03-12T16:02:10.000Z'],
  },
  'intercom.csv': {
    tool: 'Intercom',
    first: {
      text: "The invoice shows last year's address. Where do I change it?",
      source: 'Intercom',
      occurred_at: '2026-04-14 21:45:08',
      actor_name: 'Ines Roy',
      actor_email: 'ines@alder.example',
    },
    times: ['2026-04-14T21:45:08.000Z', '2026-04-15T06:12:44.000Z'],
  },
  'intercom.json': {
    tool: 'Intercom',
    first: {
      text: "The invoice shows last year's address.",
      source: 'Intercom',
      source_url: 'https://app.alder.example/billing',
      occurred_at: '1776203108',
      actor_name: 'Ines Roy',
      actor_email: 'ines@alder.example',
    },
    times: ['2026-04-14T21:45:08.000Z', '2026-04-15T06:12:44.000Z'],
  },
  'jira.csv': {
    tool: 'Jira',
    first: {
      text: 'Export stops at 10,000 rows\n\nThe export of the orders ends after 10,000 rows.\r\n\r\nNo message says so.',
      source: 'Jira',
      occurred_at: '2021-09-30T17:20:00Z',
      actor_name: 'Ada Okafor',
      event: 'Bug',
      metadata: { Labels: ['export', 'csv'], Watchers: ['ada', 'ben'] },
    },
    times: ['2021-09-30T17:20:00.000Z', '2024-03-12T09:41:00.000Z'],
  },
  'jira.json': {
    tool: 'Jira',
    first: {
      text: 'Export stops at 10,000 rows\n\nThe export of the orders ends early.',
      source: 'Jira',
      source_url: 'https://fern.example/rest/api/2/issue/10112',
      occurred_at: '2021-09-30T17:20:31.000+0200',
      actor_name: 'Ada Okafor',
      actor_email: 'ada@fern.example',
      event: 'Bug',
    },
    times: ['2021-09-30T15:20:31.000Z', '2024-03-12T08:41:00.000Z'],
  },
  'play-console.csv': {
    tool: 'Play Console',
    first: {
      text: 'Génial\n\nTrès bonne appli, 日本語 aussi 🎉',
      source: 'Play Console',
      source_url: 'https://play.google.example/console/review?reviewId=1',
      occurred_at: '2026-06-15T10:00:00Z',
    },
    times: ['2026-06-15T10:00:00.000Z', '2026-06-16T11:30:00.000Z'],
  },
  'productboard.csv': {
    tool: 'Productboard',
    first: {
      text: 'Call with Birch Ltd\n\nThey copy numbers by hand, because the report has no totals.',
      source: 'Productboard',
      source_url: 'https://crm.example/calls/881',
      occurred_at: '2026-03-01T12:00:00Z',
      actor_email: 'eve@birch.example',
    },
    times: ['2026-03-01T12:00:00.000Z', '2026-03-02T09:30:00.000Z'],
  },
  'productboard.json': {
    tool: 'Productboard',
    first: {
      text: 'Call with Birch Ltd\n\nThey copy numbers by hand.',
      source: 'Productboard',
      source_url: 'https://fern.productboard.example/inbox/1',
      occurred_at: '2026-03-01T12:00:00Z',
    },
    times: ['2026-03-01T12:00:00.000Z', '2026-03-02T09:30:00.000Z'],
  },
  'surveymonkey.csv': {
    tool: 'SurveyMonkey',
    first: {
      text: 'The reports should open without a click.',
      source: 'SurveyMonkey',
      occurred_at: '2026-03-12T09:44:02Z',
      metadata: { 'Which of these do you use?: Reports': 'Reports' },
    },
    times: ['2026-03-12T09:44:02.000Z', '2026-03-25T23:31:45.000Z'],
  },
  'trello.csv': {
    tool: 'Trello',
    first: {
      text: 'Search finds no plurals\n\nI look for "bags" and get nothing.',
      source: 'Trello',
      source_url: 'https://trello.example/c/c1',
      occurred_at: '2026-02-11T14:30:00.000Z',
    },
    times: ['2026-02-11T14:30:00.000Z', '2026-02-12T08:00:00.000Z'],
  },
  'trello.json': {
    tool: 'Trello',
    first: {
      text: 'Search finds no plurals\n\nI look for "bags" and get nothing; "bag" works.',
      source: 'Trello',
      source_url: 'https://trello.example/c/c1/1-search-finds-no-plurals',
      occurred_at: '2026-02-11T14:30:00.000Z',
    },
    times: ['2026-02-11T14:30:00.000Z', '2026-02-12T08:00:00.000Z'],
  },
  'typeform.csv': {
    tool: 'Typeform',
    first: {
      text: 'The maps load at once on my old phone.\n\nI could not find where to change the language.',
      source: 'Typeform',
      occurred_at: '2026-05-04 10:05:31',
    },
    times: ['2026-05-04T10:05:31.000Z', '2026-05-04T11:14:02.000Z'],
  },
  'uservoice.csv': {
    tool: 'UserVoice',
    first: {
      text: 'Undo for deleted rooms\n\nI deleted a room by mistake, and nobody could bring it back.',
      source: 'UserVoice',
      occurred_at: '2025-11-05T16:40:12Z',
      actor_name: 'Gus Lind',
      actor_email: 'gus@maple.example',
    },
    times: ['2025-11-05T16:40:12.000Z', '2025-11-06T07:01:00.000Z'],
  },
  'uservoice.json': {
    tool: 'UserVoice',
    first: {
      text: 'Undo for deleted rooms\n\nI deleted a room by mistake.',
      source: 'UserVoice',
      source_url: 'https://maple.uservoice.example/forums/1/suggestions/48112',
      occurred_at: '2025-11-05T16:40:12Z',
    },
    times: ['2025-11-05T16:40:12.000Z', '2025-11-06T07:01:00.000Z'],
  },
  'zendesk.csv': {
    tool: 'Zendesk',
    first: {
      text: 'The app signs me out every hour',
      source: 'Zendesk',
      occurred_at: '2026-01-20 13:05',
      actor_name: 'Kemi Bello',
      actor_email: 'kemi@cedar.example',
    },
    times: ['2026-01-20T13:05:00.000Z', '2026-01-21T09:30:00.000Z'],
  },
  'zendesk.json': {
    tool: 'Zendesk',
    first: {
      text: 'The app signs me out every hour\n\nEvery hour on the phone, never on the desktop.',
      source: 'Zendesk',
      source_url: 'https://cedar.zendesk.example/api/v2/tickets/7701.json',
      occurred_at: '2026-01-20T13:05:00Z',
    },
    times: ['2026-01-20T13:05:00.000Z', '2026-01-21T09:30:00.000Z'],
  },
}

describe('An export of another tool', () => {
  it('is known for each of the files here, and each file has what comes of it', () => {
    assert.deepEqual(readdirSync(EXPORTS).toSorted(), Object.keys(EXPECTED).toSorted())
  })

  for (const [file, expected] of Object.entries(EXPECTED)) {
    it(`is recognized and read by itself: ${file}`, async () => {
      const preview = await previewOf(readFileSync(join(EXPORTS, file)))
      const { tool, unread_dates, records } = preview
      assert.deepEqual(
        [tool, unread_dates, records.filter(({ reading }) => reading.kind === 'refused')],
        [expected.tool, null, []],
      )
      const signals = signalsOf(preview)
      assert.equal(signals.length, 2)
      assert.partialDeepStrictEqual(signals[0], expected.first)
      assert.deepEqual(
        records.flatMap(({ reading }) =>
          reading.kind === 'signal' ? [new Date(reading.occurredAt ?? 0).toJSON()] : [],
        ),
        expected.times,
      )
    })
  }
})
