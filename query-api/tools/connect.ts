import { connectList } from '../operations/connect/list.ts'
import { defineTool } from './define-tool.ts'

export const serviceConnect = defineTool({
  name: 'service_connect',
  title: 'Data sources',
  description:
    'The sources that evidence arrives through. list: each source with its address, when something last arrived and how much in the last 24 hours. Secrets are shown once, in the app, when a person creates a source.',
  modes: {
    list: connectList,
  },
})
