import { createConnection } from '../operations/sources/create-connection.ts'
import { findSourceKind } from '../operations/sources/find-source-kind.ts'
import { listSources } from '../operations/sources/list-sources.ts'
import { signTestRequest } from '../operations/sources/sign-test-request.ts'
import { updateSource } from '../operations/sources/update-source.ts'
import { defineTool } from './define-tool.ts'

export const serviceConnect = defineTool({
  name: 'service_connect',
  title: 'Data sources',
  description:
    'The sources that evidence arrives through. list: each with its address, and what it accepted and refused in 24 hours. find: how something (github, zendesk, email) is connected, and by whom. create: a connection for what sends Standard Webhooks; its secret is shown in that answer only. update: name, mapping, pause, resume, rotate. test: a signed request, for you to send.',
  modes: {
    list: listSources,
    find: findSourceKind,
    create: createConnection,
    update: updateSource,
    test: signTestRequest,
  },
})
