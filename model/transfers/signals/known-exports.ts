import type { MappedField } from '../../../schemas/transfers/columns.ts'

/** How the exports of a tool are recognized and read. Names are in lower case with spaces between words. */
export interface KnownExport {
  readonly tool: string
  /** Columns that all its exports have; one of each group. */
  readonly has: readonly (readonly string[])[]
  /** Columns of each field. The text takes all of them in this order; other fields take the first that exists. */
  readonly fields: Readonly<Partial<Record<MappedField, readonly string[]>>>
  /** Further condition on the column names. */
  readonly fits?: (names: readonly string[]) => boolean
  /** True when the text consists of free answers under questions. */
  readonly isSurvey?: true
}

/** Names of the first column of Google Forms, by language. */
const TIMESTAMPS = [
  'timestamp',
  'zeitstempel',
  'horodateur',
  'marca temporal',
  'carimbo de data/hora',
  'informazioni cronologiche',
  'tijdstempel',
  'sygnatura czasowa',
  'zaman damgası',
  'отметка времени',
  'タイムスタンプ',
  '타임스탬프',
  '时间戳记',
]

const isQuestion = (name: string): boolean => name.includes('?') || name.trim().split(' ').length > 2

/**
 * Known exports, as the tools' pages and public files show them. A narrower one comes before another whose columns it
 * contains.
 */
export const KNOWN_EXPORTS: readonly KnownExport[] = [
  {
    tool: 'Jira',
    has: [
      ['issue key', 'issuekey', 'vorgangsschlüssel', 'clave de incidencia', 'chave da item', 'key'],
      ['summary', 'zusammenfassung', 'resumen', 'resumo'],
      ['issue type', 'issue id', 'vorgangstyp', 'tipo de incidencia', 'tipo de item', 'status'],
    ],
    fields: {
      text: [
        'summary',
        'zusammenfassung',
        'resumen',
        'resumo',
        'description',
        'beschreibung',
        'descripción',
        'descrição',
      ],
      occurred_at: ['created', 'erstellt', 'creada', 'criado'],
      actor_name: ['reporter', 'autor', 'informador', 'relator', 'creator', 'ersteller'],
      event: ['issue type', 'vorgangstyp', 'tipo de incidencia', 'tipo de item'],
    },
  },
  {
    tool: 'Jira',
    has: [['key'], ['fields summary'], ['fields created', 'fields issuetype name']],
    fields: {
      text: ['fields summary', 'fields description'],
      occurred_at: ['fields created'],
      actor_name: ['fields reporter display name', 'fields creator display name'],
      actor_email: ['fields reporter email address'],
      event: ['fields issuetype name'],
      source_url: ['self'],
    },
  },
  {
    tool: 'Play Console',
    has: [['star rating'], ['review text'], ['review submit date and time', 'review last update date and time']],
    fields: {
      text: ['review title', 'review text'],
      occurred_at: ['review submit date and time', 'review last update date and time'],
      source_url: ['review link'],
    },
  },
  {
    tool: 'App Store Connect',
    has: [['attributes rating'], ['attributes body'], ['attributes created date']],
    fields: {
      text: ['attributes title', 'attributes body'],
      occurred_at: ['attributes created date'],
      actor_name: ['attributes reviewer nickname'],
    },
  },
  {
    tool: 'App Store Connect',
    has: [['rating'], ['body', 'review'], ['territory', 'reviewer nickname', 'storefront'], ['created date', 'date']],
    fields: {
      text: ['title', 'body', 'review'],
      occurred_at: ['created date', 'date'],
      actor_name: ['reviewer nickname', 'author', 'nickname'],
    },
  },
  {
    tool: 'Trello',
    has: [['id board'], ['id list'], ['desc'], ['name']],
    fields: {
      text: ['name', 'desc'],
      occurred_at: ['date last activity'],
      source_url: ['url', 'short url'],
    },
  },
  {
    tool: 'Trello',
    has: [['card id'], ['card name'], ['list name', 'board name']],
    fields: {
      text: ['card name', 'card description'],
      occurred_at: ['last activity date', 'date of last activity'],
      source_url: ['card url'],
    },
  },
  {
    tool: 'GitHub',
    has: [['number', 'id'], ['title'], ['body'], ['author login', 'user login', 'author'], ['url', 'html url']],
    fields: {
      text: ['title', 'body'],
      occurred_at: ['created at'],
      actor_name: ['author login', 'user login', 'author'],
      source_url: ['html url', 'url'],
    },
  },
  {
    tool: 'UserVoice',
    has: [
      ['idea id', 'suggestion id', 'portal url'],
      ['idea title', 'suggestion title', 'title', 'suggestion'],
    ],
    fields: {
      text: [
        'idea title',
        'suggestion title',
        'title',
        'suggestion',
        'idea description',
        'suggestion description',
        'description',
        'body',
      ],
      occurred_at: ['created timestamp', 'idea created timestamp', 'idea created at', 'created at', 'created'],
      actor_name: ['idea creator name', 'suggestion creator name', 'creator name'],
      actor_email: ['idea creator email address', 'suggestion creator email', 'creator email'],
      source_url: ['portal url', 'idea url', 'url'],
    },
  },
  {
    tool: 'Canny',
    has: [
      ['post title', 'title'],
      ['post details', 'details'],
      ['board', 'board name', 'score', 'votes', 'vote count', 'post url'],
    ],
    fields: {
      text: ['post title', 'title', 'post details', 'details'],
      occurred_at: ['post created', 'created', 'created at', 'date created', 'post created at'],
      actor_name: ['author name', 'author', 'post author', 'post author name'],
      actor_email: ['author email', 'post author email'],
      source_url: ['post url', 'url'],
    },
  },
  {
    tool: 'Productboard',
    has: [
      ['title', 'note title', 'name'],
      ['content', 'note content', 'text', 'note text', 'note'],
      ['display url', 'external display url', 'company domain', 'user email', 'customer email'],
    ],
    fields: {
      text: ['title', 'note title', 'name', 'content', 'note content', 'text', 'note text', 'note'],
      occurred_at: ['created at', 'created', 'note created at', 'date created'],
      actor_name: ['user name', 'customer name'],
      actor_email: ['user email', 'customer email', 'email'],
      source_url: ['display url', 'external display url', 'source url'],
    },
  },
  {
    tool: 'Intercom',
    has: [
      ['source body', 'message body', 'first message', 'first user message'],
      ['id', 'conversation id'],
    ],
    fields: {
      text: ['source subject', 'source body', 'message body', 'first message', 'first user message'],
      occurred_at: ['message created at', 'created at', 'conversation created at', 'conversation started at'],
      actor_name: ['source author name', 'message author name', 'user name'],
      actor_email: ['source author email', 'message author email', 'user email'],
      source_url: ['source url', 'conversation url'],
    },
  },
  {
    tool: 'Zendesk',
    has: [
      ['id', 'ticket id'],
      ['subject', 'ticket subject'],
      ['requester', 'requester id', 'requester name', 'requester email'],
      [
        'via',
        'via channel',
        'ticket type',
        'ticket form',
        'satisfaction score',
        'group',
        'ticket group',
        'organization',
      ],
    ],
    fields: {
      text: ['subject', 'ticket subject', 'description', 'ticket description'],
      occurred_at: ['created at', 'ticket created at', 'ticket created', 'ticket created date'],
      actor_name: ['requester', 'requester name'],
      actor_email: ['requester email'],
      source_url: ['url', 'ticket url'],
    },
  },
  {
    tool: 'Typeform',
    has: [
      ['#', 'response id'],
      ['submit date (utc)', 'submitted at', 'start date (utc)'],
      ['network id', 'response type'],
    ],
    fields: {
      occurred_at: ['submit date (utc)', 'submitted at', 'start date (utc)'],
      actor_email: ['email', 'email address', 'e mail'],
      actor_name: ['name', 'first name'],
    },
    isSurvey: true,
  },
  {
    tool: 'SurveyMonkey',
    has: [
      ['respondent id', 'respondentid'],
      ['collector id', 'collectorid'],
    ],
    fields: {
      occurred_at: ['end date', 'date modified', 'start date', 'date created'],
      actor_email: ['email address'],
      actor_name: ['first name'],
    },
    isSurvey: true,
  },
  {
    tool: 'Airtable',
    has: [['id'], ['created time']],
    fits: names => names.some(name => name.startsWith('fields ')),
    fields: { occurred_at: ['created time'] },
  },
  {
    tool: 'Google Forms',
    has: [TIMESTAMPS],
    fits: ([first = '', ...questions]) => TIMESTAMPS.includes(first) && questions.some(isQuestion),
    fields: {
      occurred_at: TIMESTAMPS,
      actor_email: ['email address', 'username', 'e mail adresse', 'adresse e mail', 'email', 'e mail'],
      actor_name: ['name', 'full name', 'your name'],
    },
    isSurvey: true,
  },
]
