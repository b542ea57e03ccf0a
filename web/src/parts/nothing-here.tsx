import { Alert, Button, Text } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { listAbove } from '../api/addresses.ts'
import { t } from '../language/messages.ts'

/** The requested page does not exist; links to its list. */
const NothingHere = ({ children }: { readonly children: string }) => {
  const list = listAbove(useLocation().pathname)
  return (
    <Alert variant="default" title={t('There is nothing here')} icon={<IconMapQuestion size={18} />} role="alert">
      <Text size="sm">{children}</Text>
      {list !== null && (
        <Button component={Link} to={list} size="xs" variant="default" mt="sm">
          {t('See what there is')}
        </Button>
      )}
    </Alert>
  )
}

export default NothingHere
