import { connectCreate } from '../operations/connect/create.ts'
import { connectFind } from '../operations/connect/find.ts'
import { connectUpdate } from '../operations/connect/update.ts'
import { listSources } from '../operations/workspace/list-sources.ts'
import { signTestRequest } from '../operations/workspace/sign-test-request.ts'
import { defineTool } from './define-tool.ts'

export const serviceConnect = defineTool({
  name: 'service_connect',
  title: 'Data sources',
  description:
    'The sources that evidence arrives through. list: each with its address, and what it accepted and refused in 24 hours. find: how something (github, zendesk, email) is connected, and by whom. create: a connection for what sends Standard Webhooks; its secret is shown in that answer only. update: name, mapping, pause, resume, rotate. test: a signed request, for you to send.',
  modes: {
    list: listSources,
    find: connectFind,
    create: connectCreate,
    update: connectUpdate,
    test: signTestRequest,
  },
})
