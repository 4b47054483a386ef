from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_operators'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='counts',
            field=models.BooleanField(default=True),
        ),
    ]
