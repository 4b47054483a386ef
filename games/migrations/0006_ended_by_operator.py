from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_counts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='change',
            name='type',
            field=models.CharField(choices=[('joined', 'Joined'), ('left', 'Left'), ('seat_changed', 'Seat Changed'), ('autoplay', 'Autoplay'), ('dealt', 'Dealt'), ('finished', 'Finished'), ('ended', 'Ended By Operator'), ('rematch', 'Rematch')], max_length=12),
        ),
    ]
