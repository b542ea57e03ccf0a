import { Alert, Button, Stack, Text } from '@mantine/core'
import { t } from '../language/messages.ts'
import { Copyable } from './copyable.tsx'

interface Props {
  readonly text: string
  readonly onDiscard: () => void
}

/** What somebody wrote who was made a viewer before it was sent: theirs to copy, in the place of the field. */
export const UnsentWords = ({ text, onDiscard }: Props) => (
  <Alert variant="default" my="md" title={t('You wrote this, and are a viewer by now')}>
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        {t('It was not saved. This tab keeps it: copy it, or send it once you are a member again.')}
      </Text>
      <Copyable label={t('What you wrote')} text={text} />
      <Button size="xs" variant="default" onClick={onDiscard}>
        {t('Discard')}
      </Button>
    </Stack>
  </Alert>
)
