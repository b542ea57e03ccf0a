import { type Call, connect, type Task } from '../task.ts'

const list: Call = connect('list')

export const connectTasks: readonly Task[] = [
  {
    wants: 'Where does our feedback come from?',
    calls: [list],
    holds: [{ answer: 1, path: 'data.items.*.name', includes: 'Help desk' }],
  },
  {
    wants: 'How do I get our GitHub pull requests in here?',
    calls: [connect('find', { query: 'github' })],
    holds: [
      { answer: 1, path: 'data.items.0.created_by', is: 'person' },
      { answer: 1, path: 'data.items.0.steps', atLeast: 3 },
    ],
  },
  {
    wants:
      'Connect our survey tool. It signs by Standard Webhooks; of its data, comment is what was said and who said it.',
    calls: [
      connect('find', { query: 'survey' }),
      connect('create', {
        name: 'Survey',
        settings: { mapping: { text: '/data/comment', actor_name: '/data/who' } },
        example: {
          type: 'answer.given',
          timestamp: '2026-06-01T10:00:00Z',
          data: { comment: 'Too slow.', who: 'Kim' },
        },
      }),
    ],
    holds: [
      { answer: 1, path: 'data.items.0.created_by', is: 'agent' },
      { answer: 2, path: 'data.mapping_preview.accepted', is: true },
      { answer: 2, path: 'data.secret', matches: /^whsec_/ },
      { read: list, path: 'data.items.*.name', includes: 'Survey' },
    ],
  },
  {
    wants: 'The help desk sends rubbish. Pause it until I say otherwise.',
    calls: [connect('update', { id: 'Help desk', paused: true })],
    holds: [{ read: list, path: 'data.items.[name=Help desk].paused_at', matches: /^2026-/ }],
  },
  {
    wants: 'The secret of the help desk was in a chat. Give it a new one.',
    calls: [connect('update', { id: 'Help desk', rotate_secret: true })],
    holds: [
      { answer: 1, path: 'data.secret', matches: /^whsec_/ },
      { read: list, path: 'data.items.[name=Help desk].previous_secret_valid_until', matches: /^20/ },
    ],
  },
  {
    wants: 'Would we get the text of a note if the help desk put it into data.body? Try it, but change nothing yet.',
    calls: [
      connect('update', {
        id: 'Help desk',
        settings: { mapping: { text: '/data/body' } },
        example: { type: 'note', timestamp: '2026-06-01T10:00:00Z', data: { body: 'It hangs.' } },
        dry_run: true,
      }),
    ],
    holds: [
      { answer: 1, path: 'data.is_applied', is: false },
      { answer: 1, path: 'data.mapping_preview.fields.[field=text].value', includes: 'It hangs.' },
      { read: connect('list', { depth: 'standard' }), path: 'data.items.[name=Help desk].settings', is: {} },
    ],
  },
  {
    wants: 'Give me a request that the help desk’s address would accept, to try it myself.',
    calls: [connect('test', { id: 'Help desk' })],
    holds: [
      { answer: 1, path: 'data.headers.webhook-signature', matches: /^v1,/ },
      { answer: 1, path: 'data.secret_missing', is: false },
    ],
  },
]
