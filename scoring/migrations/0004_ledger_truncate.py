from django.db import migrations


LEDGER_IS_NOT_EMPTIED = """
CREATE TRIGGER scoring_ledger_never_emptied BEFORE TRUNCATE ON scoring_ledgerentry
    FOR EACH STATEMENT EXECUTE FUNCTION scoring_ledger_refuse_change();
"""
LEDGER_MAY_BE_EMPTIED = "DROP TRIGGER scoring_ledger_never_emptied ON scoring_ledgerentry;"


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0003_board_marks'),
    ]

    operations = [
        migrations.RunSQL(LEDGER_IS_NOT_EMPTIED, LEDGER_MAY_BE_EMPTIED),
    ]
