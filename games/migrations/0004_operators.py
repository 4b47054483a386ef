from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_history'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='session',
            options={'permissions': (('end_session', 'Can end a stuck session'),)},
        ),
        migrations.AlterModelOptions(
            name='round',
            options={'permissions': (('view_running_hands', 'Can look at the hands of a running round'),)},
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['status', '-created_at', '-id'], name='session_newest_by_status'),
        ),
        migrations.RemoveConstraint(
            model_name='round',
            name='settled_round_has_outcome',
        ),
        migrations.AlterField(
            model_name='round',
            name='status',
            field=models.CharField(choices=[('open', 'Open'), ('settled', 'Settled'), ('voided', 'Voided')], default='open', max_length=7),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome__isnull', True), ('settled_at__isnull', True), ('status__in', ('open', 'voided'))), models.Q(('outcome__isnull', False), ('settled_at__isnull', False), ('status', 'settled')), _connector='OR'), name='settled_round_has_outcome'),
        ),
    ]
