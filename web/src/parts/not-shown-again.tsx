import { Alert, Text } from '@mantine/core'
import { t } from '../language/messages.ts'

/** Said where something that is shown once was in an answer that was lost; `children` say what to do. */
export const NotShownAgain = ({ children }: { readonly children: string }) => (
  <Alert color="yellow" variant="light" role="alert" mt="md" title={t('It was saved before')}>
    <Text size="sm">{children}</Text>
  </Alert>
)
