import { connectCreate } from '../operations/connect/create.ts'
import { listSources } from '../operations/workspace/list-sources.ts'
import { signTestRequest } from '../operations/workspace/sign-test-request.ts'
import { defineTool } from './define-tool.ts'

export const serviceConnect = defineTool({
  name: 'service_connect',
  title: 'Data sources',
  description:
    'The sources that evidence arrives through. list: each source with where to send to, when something last came, and what was accepted and refused in the last 24 hours. create: a connection for something that sends Standard Webhooks; its secret is shown in that answer only. test: a signed request to a source, for you to send. Sources of the other kinds are created by people, in the app.',
  modes: {
    list: listSources,
    create: connectCreate,
    test: signTestRequest,
  },
})
